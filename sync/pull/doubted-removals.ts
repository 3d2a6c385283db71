/**
 * A snapshot that would take away most of what the device holds is more often a CRM that is not itself than the truth:
 * it removes only what another one, a while later, does not have either (RULES PL6). Pure decisions.
 */

/** Two answers of the same moment say no more than one. */
export const SECOND_LOOK_MS = 30_000

/** What a snapshot did not have, and was not believed. */
export interface Doubt {
  gone: ReadonlySet<string>
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
  /** What an earlier one said. */
  doubt: Doubt | undefined
  now: number
}

export function lookTwice({ gone, lacking, here, there, doubt, now }: Look): {
  remove: string[]
  doubt?: Doubt
} {
  if (gone.length === 0 || (there > 0 && lacking * 2 <= here)) return { remove: [...gone] }
  if (!doubt) return { remove: [], doubt: { gone: new Set(gone), at: now } }
  const both = gone.filter((key) => doubt.gone.has(key))
  if (now - doubt.at < SECOND_LOOK_MS) return { remove: [], doubt: { gone: new Set(both), at: doubt.at } }
  const first = gone.filter((key) => !doubt.gone.has(key))
  return { remove: both, ...(first.length > 0 && { doubt: { gone: new Set(first), at: now } }) }
}

/** The doubts of the window, and of the days that screens searched: what earlier snapshots said, as long as the app runs. */
export function createDoubts() {
  const doubts = new Map<string, Doubt>()
  return {
    /** @returns isDoubted: something of these days is; isNew: from now on */
    look(days: string, seen: Pick<Look, 'gone' | 'lacking' | 'here' | 'there'>) {
      const before = doubts.get(days)
      const { remove, doubt } = lookTwice({ ...seen, doubt: before, now: performance.now() })
      if (doubt) doubts.set(days, doubt)
      else doubts.delete(days)
      const isDoubted = doubt !== undefined
      return { remove, isDoubted, isNew: isDoubted && before === undefined }
    },
  }
}
