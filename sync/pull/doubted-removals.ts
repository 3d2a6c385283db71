/**
 * A snapshot that would take away most of what the device holds is more often a CRM that is not itself than the truth:
 * it removes only what another one, a while later, does not have either (RULES PL6). So does one of several pages, at once: a
 * visit that is moved to a later day between two pages is in both, and the first row of the second is in neither (PL1). Pure
 * decisions.
 */

/** Two answers of the same moment say no more than one. */
export const SECOND_LOOK_MS = 30_000

/** What a snapshot did not have, and was not believed. */
export interface Doubt {
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

/** Not all of it is taken away: it may be true, and is strange where it is not. */
const isStrange = ({ gone, lacking, here, there }: Look) =>
  gone.length > 0 && (there === 0 || lacking * 2 > here)

export function lookTwice(look: Look): { remove: string[]; doubt?: Doubt } {
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
  const isSoon = strange && now - doubt.at < SECOND_LOOK_MS
  if (isSoon) return { remove: [], doubt: doubtOf(both, doubt.at) }
  const first = gone.filter((key) => !doubt.gone.has(key))
  return { remove: both, ...(first.length > 0 && { doubt: doubtOf(first) }) }
}

/** A CRM that is not itself for a while lacks what slides between two of its pages later, too. */
const sameKind = (look: Look): Doubt | undefined =>
  look.doubt?.isStrange === isStrange(look) ? look.doubt : undefined

/** The doubts of the window, and of the days that screens searched: what earlier snapshots said, as long as the app runs. */
export function createDoubts() {
  const doubts = new Map<string, Doubt>()
  return {
    /** @returns isDoubted: something of these days is; of what is from now on: isTold, it is strange; isAgain, it is not */
    look(days: string, seen: Omit<Look, 'doubt' | 'now'>) {
      const before = doubts.get(days)
      const look = { ...seen, doubt: before, now: performance.now() }
      const { remove, doubt } = lookTwice(look)
      if (doubt) doubts.set(days, doubt)
      else doubts.delete(days)
      const isDoubted = doubt !== undefined
      const [isNew, strange] = [isDoubted && sameKind(look) === undefined, isStrange(look)]
      // once: a CRM that lacks other rows each time is not read without a pause
      return { remove, isDoubted, isTold: isNew && strange, isAgain: isNew && !strange }
    },
  }
}
