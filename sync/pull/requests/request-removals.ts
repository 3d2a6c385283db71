/**
 * Requests that leave the device: those that a complete search lacks, and those that have expired (RULES PL1,
 * EX1). A snapshot that would remove most records is more often a fault of the CRM than the truth. So a record is
 * only removed if a second snapshot, at least 30 seconds later, lacks it as well (PL6). A snapshot of several pages
 * also needs a second one, which may follow at once: if a visit moves to a later day between two pages, it is in
 * both, and the first row of the second page is in neither (PL1).
 */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { dependentsOf, eachOnce, expiredBefore } from '#sync/retention/expiry.ts'
import type { PullServices } from '#sync/pull/engine/engine.ts'
import { pastOrEmpty } from '#sync/pull/engine/freshness.ts'
import { isComplete } from '#sync/pull/engine/snapshot.ts'
import { NO_CONDITIONS, NONE_REMOVED, type Removals, type Searched } from './search.ts'
import { CLOCK_ERROR_MS } from '#sync/lib/trusted-time.ts'

type Docs = WithDeleted<RequestRecord>[]

interface Parts extends Pick<PullServices, 'db' | 'clock' | 'report'> {
  /** True if RxDB is about to write a newer read of the request (RULES trap 14). */
  isBeingWritten: (key: string) => boolean
}

export function createRequestRemovals({ db, clock, report, isBeingWritten }: Parts) {
  const evicted = eachOnce()
  /** Doubts about each range of rounds, and about the days that screens searched. */
  const doubts = createDoubts()

  /**
   * The requests that a search lacks. Only a search by days alone removes records, because how the CRM compares
   * texts is unknown.
   */
  async function of({ filter, range, stamp, snapshot }: Searched): Promise<Removals> {
    const { from, to, ...others } = filter
    const isByDays = JSON.stringify(others) === JSON.stringify(NO_CONDITIONS)
    if (!isByDays || !isComplete(snapshot)) return NONE_REMOVED
    const selector = { workingDate: { $gte: from || '0', $lte: to || '9' } }
    const all = await db.requests.find({ selector }).exec()
    // Requests that were read after the search began are not removed, because it may predate them (RULES PL9).
    const isSince = ({ readStamp, confirmedAt }: RequestRecord) =>
      readStamp > stamp && pastOrEmpty(confirmedAt, clock.now()) !== ''
    const docs = all.filter((doc) => !isSince(doc))
    const { onRequest } = await dependentsOf(db)
    const absent = docs.filter(({ key }) => !snapshot.seen.has(key))
    const removable = absent.filter((doc) => !onRequest(doc))
    const { remove, isReported, ...doubt } = doubts.decide(range ?? `${from} ${to}`, {
      gone: removable.map(({ key }) => key),
      lacking: absent.length,
      here: docs.length,
      there: snapshot.seen.size,
      isPaged: snapshot.totals.length > 1,
    })
    if (isReported) report(`request/search: ${removable.length} of ${docs.length} are gone`)
    const leaving = new Set(remove)
    return { docs: removable.filter(({ key }) => leaving.has(key)).map(removed), ...doubt }
  }

  /** Requests not confirmed for a day (RULES EX1). Those stamped by a wrong clock expire a day from now (EX3). */
  async function expired(): Promise<Docs> {
    const time = Math.max(clock.expiryNow(), clock.now())
    const find = async (confirmedAt: object) => {
      const found = await db.requests.find({ selector: { confirmedAt } }).exec()
      return found.filter(({ key }) => !isBeingWritten(key))
    }
    const docs = await find({ $lt: expiredBefore(clock.expiryNow()) })
    const undated = evicted.only(await find({ $gt: isoOf(time + CLOCK_ERROR_MS) }))
    const redated = undated.map((doc) => ({
      ...doc.toMutableJSON(),
      confirmedAt: isoOf(time),
      _deleted: false,
    }))
    if (docs.length === 0) return redated
    const { onRequest } = await dependentsOf(db)
    return [...redated, ...evicted.only(docs.filter((doc) => !onRequest(doc))).map(removed)]
  }

  return {
    of,
    expired,
    /** Returns expired requests again: called in a new round, or if the device may have refused their removal. */
    again: evicted.again,
  }
}

const removed = (doc: { toMutableJSON(): RequestRecord }) => ({ ...doc.toMutableJSON(), _deleted: true })

/** Minimum time between the two snapshots; two answers of one moment are no independent evidence. */
export const SECOND_READ_MS = 30_000

/** The records that an earlier snapshot lacked and that were not removed. */
interface Doubt {
  gone: ReadonlySet<string>
  /**
   * True if the snapshot lacked most records; false if its only reason is that it had several pages. Only a
   * second snapshot of the same kind confirms the removals.
   */
  isSuspicious: boolean
  /** Milliseconds of a monotonic clock. */
  at: number
}

interface Comparison {
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
const isSuspicious = ({ gone, lacking, here, there }: Comparison) =>
  gone.length > 0 && (there === 0 || lacking * 2 > here)

export function confirmedTwice(comparison: Comparison): { remove: string[]; doubt?: Doubt } {
  const { gone, isPaged, now } = comparison
  const suspicious = isSuspicious(comparison)
  if (gone.length === 0 || (!suspicious && !isPaged)) return { remove: [...gone] }
  const doubtOf = (keys: readonly string[], at = now): Doubt => ({
    gone: new Set(keys),
    isSuspicious: suspicious,
    at,
  })
  const doubt = sameKind(comparison)
  if (!doubt) return { remove: [], doubt: doubtOf(gone) }
  const both = gone.filter((key) => doubt.gone.has(key))
  const isTooSoon = suspicious && now - doubt.at < SECOND_READ_MS
  if (isTooSoon) return { remove: [], doubt: doubtOf(both, doubt.at) }
  const first = gone.filter((key) => !doubt.gone.has(key))
  return { remove: both, ...(first.length > 0 && { doubt: doubtOf(first) }) }
}

/**
 * The earlier doubt if it is of the same kind, else undefined: a faulty CRM would also lack the rows of an
 * earlier snapshot that only moved between pages.
 */
const sameKind = (comparison: Comparison): Doubt | undefined =>
  comparison.doubt?.isSuspicious === isSuspicious(comparison) ? comparison.doubt : undefined

/** The doubts about the window and about the days that screens searched, as long as the app runs. */
export function createDoubts() {
  const doubts = new Map<string, Doubt>()
  return {
    /**
     * Decides about a snapshot. `isDoubted`: a doubt remains. If the doubt is the first of its kind,
     * `isReported` is true for a suspicious snapshot, `isRereadNow` for one of several pages.
     */
    decide(days: string, found: Omit<Comparison, 'doubt' | 'now'>) {
      const before = doubts.get(days)
      const comparison = { ...found, doubt: before, now: performance.now() }
      const { remove, doubt } = confirmedTwice(comparison)
      if (doubt) doubts.set(days, doubt)
      else doubts.delete(days)
      const isDoubted = doubt !== undefined
      const [isNew, suspicious] = [isDoubted && sameKind(comparison) === undefined, isSuspicious(comparison)]
      // Only the first doubt: a CRM that lacks other rows each time must not be read again without a pause.
      return { remove, isDoubted, isReported: isNew && suspicious, isRereadNow: isNew && !suspicious }
    },
  }
}
