/**
 * Guards against mass removals. A snapshot that would remove most records is more often a fault of the CRM
 * than the truth. So a record is only removed if a second snapshot, at least 30 seconds later, lacks it as
 * well (RULES PL6). A snapshot of several pages also needs a second one, which may follow at once: if a visit
 * moves to a later day between two pages, it is in both, and the first row of the second page is in neither
 * (PL1). Pure.
 */

/** Minimum time between the two snapshots; two answers of one moment are no independent evidence. */
export const SECOND_READ_MS = 30_000

/** The records that an earlier snapshot lacked and that were not removed. */
interface Doubt {
  gone: ReadonlySet<string>
  /**
   * True if the snapshot lacked most records; false if its only reason is that it had several pages. Only a
   * second snapshot of the same kind confirms the removals.
   */
  isStrange: boolean
  /** Milliseconds of a monotonic clock. */
  at: number
}

interface Look {
  /** Removable local records of these days that the snapshot lacks. */
  gone: readonly string[]
  /** Number of local records that the snapshot lacks, including those that something unsent depends on. */
  lacking: number
  /** Number of records of these days on the device, and in the snapshot. */
  here: number
  there: number
  /** True if it was read in several pages. */
  isPaged: boolean
  /** The doubt from an earlier snapshot. */
  doubt: Doubt | undefined
  now: number
}

/** True if the snapshot is empty, or lacks more than half of the local records of these days. */
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

/**
 * The earlier doubt if it is of the same kind, else undefined: a faulty CRM would also lack the rows of an
 * earlier snapshot that only moved between pages.
 */
const sameKind = (look: Look): Doubt | undefined =>
  look.doubt?.isStrange === isStrange(look) ? look.doubt : undefined

/** The doubts about the window and about the days that screens searched, as long as the app runs. */
export function createDoubts() {
  const doubts = new Map<string, Doubt>()
  return {
    /**
     * Decides about a snapshot. `isDoubted`: a doubt remains. If the doubt is the first of its kind,
     * `isReported` is true for a suspicious snapshot, `isRereadNow` for one of several pages.
     */
    look(days: string, seen: Omit<Look, 'doubt' | 'now'>) {
      const before = doubts.get(days)
      const look = { ...seen, doubt: before, now: performance.now() }
      const { remove, doubt } = readTwice(look)
      if (doubt) doubts.set(days, doubt)
      else doubts.delete(days)
      const isDoubted = doubt !== undefined
      const [isNew, strange] = [isDoubted && sameKind(look) === undefined, isStrange(look)]
      // Only the first doubt: a CRM that lacks other rows each time must not be read again without a pause.
      return { remove, isDoubted, isReported: isNew && strange, isRereadNow: isNew && !strange }
    },
  }
}
