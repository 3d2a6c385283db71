/**
 * A snapshot that would remove most records is more often a faulty CRM than the truth: it removes only what a second
 * snapshot, a while later, lacks too (RULES PL6). A snapshot of several pages also needs a second one, which may follow at
 * once: a visit that is moved to a later day between two pages is in both, and the first row of the second page is in
 * neither (PL1). Pure decisions.
 */

/** Two answers of the same moment say no more than one. */
export const SECOND_READ_MS = 30_000

/** What a snapshot did not have, and was not believed. */
interface Doubt {
  gone: ReadonlySet<string>
  /** It lacked most of them; else it was one of several pages. Only another one of the same kind decides. */
  isStrange: boolean
  /** Milliseconds of a clock that is never set. */
  at: number
}

interface Look {
  /** Of what the device holds of these days and may let go, what the snapshot does not have. */
  gone: readonly string[]
  /** How many the snapshot lacks: beside these, what something unsent holds back. */
  lacking: number
  /** How many the device holds of these days, and how many the snapshot has. */
  here: number
  there: number
  /** Read in several pages. */
  isPaged: boolean
  /** What an earlier one said. */
  doubt: Doubt | undefined
  now: number
}

/** Suspicious: the snapshot is empty, or lacks more than half of the rows held for these days. */
const isStrange = ({ gone, lacking, here, there }: Look) =>
  gone.length > 0 && (there === 0 || lacking * 2 > here)

export function readTwice(look: Look): { remove: string[]; doubt?: Doubt } {
  const { gone, isPaged, now } = look
  const strange = isStrange(look)
  if (gone.length === 0 || (!strange && !isPaged)) return { remove: [...gone] }
  const doubtOf = (keys: readonly string[], at = now): Doubt => ({
    gone: new Set(keys),
    isStrange: strange,
    at,
  })
  const doubt = sameKind(look)
  if (!doubt) return { remove: [], doubt: doubtOf(gone) }
  const both = gone.filter((key) => doubt.gone.has(key))
  const isSoon = strange && now - doubt.at < SECOND_READ_MS
  if (isSoon) return { remove: [], doubt: doubtOf(both, doubt.at) }
  const first = gone.filter((key) => !doubt.gone.has(key))
  return { remove: both, ...(first.length > 0 && { doubt: doubtOf(first) }) }
}

/** A doubt is settled only by a snapshot of the same kind: a faulty CRM also lacks rows that only moved between pages. */
const sameKind = (look: Look): Doubt | undefined =>
  look.doubt?.isStrange === isStrange(look) ? look.doubt : undefined

/** The doubts of the window, and of the days that screens searched: what earlier snapshots said, as long as the app runs. */
export function createDoubts() {
  const doubts = new Map<string, Doubt>()
  return {
    /** @returns isDoubted: a doubt remains; if it is the first of its kind, isTold: suspicious, isAgain: not */
    look(days: string, seen: Omit<Look, 'doubt' | 'now'>) {
      const before = doubts.get(days)
      const look = { ...seen, doubt: before, now: performance.now() }
      const { remove, doubt } = readTwice(look)
      if (doubt) doubts.set(days, doubt)
      else doubts.delete(days)
      const isDoubted = doubt !== undefined
      const [isNew, strange] = [isDoubted && sameKind(look) === undefined, isStrange(look)]
      // only the first: a CRM that lacks other rows each time must not be read without a pause
      return { remove, isDoubted, isTold: isNew && strange, isAgain: isNew && !strange }
    },
  }
}
