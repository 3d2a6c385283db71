/**
 * Decides which requests leave the device: those that a complete search lacks, and those that have expired (RULES PL1,
 * EX1). Two kinds of snapshot are doubted: they remove only what a second snapshot of the same kind lacks as well.
 *
 * - A suspicious snapshot would remove most records, which is more often a fault of the CRM than the truth. The second
 *   one must be read at least 30 seconds later (PL6).
 * - A snapshot of several pages may have missed rows. If a visit moves to a later day between two pages, it is on both
 *   pages, and the first row of the second page is on none. The second snapshot may be read at once (PL1).
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
  const returnedRemovals = eachOnce()
  const doubts = createDoubts()

  /**
   * The removals of requests that a search lacks. Only a search by days alone removes requests, because it is unknown
   * how the CRM compares texts.
   */
  async function of({ filter, range, stamp, snapshot }: Searched): Promise<Removals> {
    const { from, to, ...others } = filter
    const isByDays = JSON.stringify(others) === JSON.stringify(NO_CONDITIONS)
    if (!isByDays || !isComplete(snapshot)) return NONE_REMOVED
    const selector = { workingDate: { $gte: from || '0', $lte: to || '9' } }
    const all = await db.requests.find({ selector }).exec()
    // A request that was read after the search began may be missing only because it is newer (RULES PL9).
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

  /**
   * Removals of requests that were not confirmed for a day (RULES EX1). A request that a wrong clock has stamped far in
   * the future gets the current time, and so expires a day from now (EX3).
   */
  async function expired(): Promise<Docs> {
    const time = Math.max(clock.expiryNow(), clock.now())
    const find = async (confirmedAt: object) => {
      const found = await db.requests.find({ selector: { confirmedAt } }).exec()
      return found.filter(({ key }) => !isBeingWritten(key))
    }
    const docs = await find({ $lt: expiredBefore(clock.expiryNow()) })
    const undated = returnedRemovals.only(await find({ $gt: isoOf(time + CLOCK_ERROR_MS) }))
    const confirmedAt = isoOf(time)
    const redated = undated.map((doc) => ({ ...doc.toMutableJSON(), confirmedAt, _deleted: false }))
    if (docs.length === 0) return redated
    const { onRequest } = await dependentsOf(db)
    return [...redated, ...returnedRemovals.only(docs.filter((doc) => !onRequest(doc))).map(removed)]
  }

  return {
    of,
    expired,
    /** Lets `expired` return the same requests again: in a new round, or if the device may have refused the removal. */
    again: returnedRemovals.again,
  }
}

const removed = (doc: { toMutableJSON(): RequestRecord }) => ({ ...doc.toMutableJSON(), _deleted: true })

/** Minimum time between two suspicious snapshots, because two answers of one moment are no independent evidence. */
export const SECOND_READ_MS = 30_000

/** What remains of a doubted snapshot. */
interface Doubt {
  /** Keys of the records that the snapshot lacked and that were not removed. */
  gone: ReadonlySet<string>
  /** False if the snapshot is doubted only because it had several pages. */
  isSuspicious: boolean
  /** When the snapshot was read, in milliseconds of a monotonic clock. */
  at: number
}

interface Comparison {
  /** Keys of local records of these days that the snapshot lacks and that may be removed. */
  gone: readonly string[]
  /** Number of local records that the snapshot lacks, including those that something unsent depends on. */
  lacking: number
  /** Number of records of these days on the device. */
  here: number
  /** Number of records in the snapshot. */
  there: number
  /** True if the snapshot was read in several pages. */
  isPaged: boolean
  /** What remains of an earlier snapshot of these days. */
  doubt: Doubt | undefined
  now: number
}

/** True if the snapshot is empty, or lacks more than half of the local records of these days. */
const isSuspicious = ({ gone, lacking, here, there }: Comparison) =>
  gone.length > 0 && (there === 0 || lacking * 2 > here)

/**
 * Decides which records a snapshot removes.
 * @returns `doubt`: what a later snapshot must confirm
 */
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
 * The earlier doubt if it is of the same kind, else undefined: the answer of a faulty CRM must not confirm that rows
 * are gone which only moved between two pages.
 */
const sameKind = (comparison: Comparison): Doubt | undefined =>
  comparison.doubt?.isSuspicious === isSuspicious(comparison) ? comparison.doubt : undefined

/** The doubts about each range of rounds, and about the days that screens searched, as long as the app runs. */
export function createDoubts() {
  const doubts = new Map<string, Doubt>()
  return {
    /**
     * Decides which records a snapshot removes. `isDoubted`: a doubt remains. If the doubt is the first of its kind,
     * `isReported` is true for a suspicious snapshot, and `isRereadNow` for a snapshot of several pages.
     */
    decide(days: string, found: Omit<Comparison, 'doubt' | 'now'>) {
      const before = doubts.get(days)
      const comparison = { ...found, doubt: before, now: performance.now() }
      const { remove, doubt } = confirmedTwice(comparison)
      if (doubt) doubts.set(days, doubt)
      else doubts.delete(days)
      const isDoubted = doubt !== undefined
      const [isNew, suspicious] = [isDoubted && sameKind(comparison) === undefined, isSuspicious(comparison)]
      // Only the first doubt leads to a read at once. If each snapshot lacked different rows, the CRM would be read without
      // a pause.
      return { remove, isDoubted, isReported: isNew && suspicious, isRereadNow: isNew && !suspicious }
    },
  }
}
