/**
 * Decides which requests leave the device: those that a complete search lacks, and those that have expired (RULES PL1,
 * EX1). Two kinds of snapshot are doubted and remove only what a second one lacks as well: a suspicious one, which would
 * remove most records (PL6), and one of several pages, between which a row may have moved (PL1).
 */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { dependentsOf, eachOnce, expiredBefore } from '#sync/retention/expiry.ts'
import type { PullServices } from '#sync/pull/engine/work.ts'
import { pastOrEmpty } from '#sync/pull/engine/freshness.ts'
import { NO_CONDITIONS, NONE_REMOVED, type Removals, type Search } from './search.ts'
import { CLOCK_ERROR_MS } from '#sync/lib/trusted-clock.ts'

interface Parts extends Pick<PullServices, 'db' | 'clock' | 'report'> {
  /** True if RxDB is about to write a newer read of the request (RULES trap 14). */
  isBeingWritten: (key: string) => boolean
}

export function createRequestRemovals({ db, clock, report, isBeingWritten }: Parts) {
  const { only, again } = eachOnce()
  /** What remains of doubted snapshots, by range of the round or by the days that a screen has searched. */
  const doubts = new Map<string, Doubt>()

  /** The requests that a complete search by days lacks. How the CRM compares texts is unknown, so other searches lack none. */
  async function of({ filter, range, mark, snapshot }: Search): Promise<Removals> {
    const { from, to, ...others } = filter
    if (JSON.stringify(others) !== JSON.stringify(NO_CONDITIONS)) return NONE_REMOVED
    const workingDate = { $gte: from || '0', $lte: to || '9' }
    const inDays = await db.requests.find({ selector: { workingDate } }).exec()
    const docs = inDays.filter((doc) => !isReadSince(doc, mark.stamp, clock.now()))
    const absent = docs.filter(({ key }) => !snapshot.seen.has(key))
    const { onRequest } = await dependentsOf(db)
    const removable = absent.filter((doc) => !onRequest(doc))
    const days = range ?? `${from} ${to}`
    const before = doubts.get(days)
    const { remove, doubt, isSuspicious } = confirmedTwice(before, {
      gone: removable.map(({ key }) => key),
      lacking: absent.length,
      here: docs.length,
      there: snapshot.seen.size,
      isPaged: snapshot.totals.length > 1,
      now: performance.now(),
    })
    doubts.delete(days)
    if (doubt) doubts.set(days, doubt)
    if (isSuspicious && !before) report(`request/search: ${removable.length} of ${docs.length} are gone`)
    const leaving = new Set(remove)
    return {
      docs: removable.filter(({ key }) => leaving.has(key)).map(removed),
      isDoubted: doubt !== undefined,
      isReadAgain: doubt !== undefined && !doubt.isSuspicious && !before,
    }
  }

  /** Removals of requests not confirmed for a day (EX1). One that a wrong clock stamped in the future expires in a day (EX3). */
  async function expired(): Promise<WithDeleted<RequestRecord>[]> {
    const time = Math.max(clock.expiryNow(), clock.now())
    const confirmedAt = isoOf(time)
    const find = async (range: object) =>
      (await db.requests.find({ selector: { confirmedAt: range } }).exec()).filter(
        ({ key }) => !isBeingWritten(key),
      )
    const docs = await find({ $lt: expiredBefore(clock.expiryNow()) })
    const undated = only(await find({ $gt: isoOf(time + CLOCK_ERROR_MS) }))
    const redated = undated.map((doc) => Object.assign(doc.toMutableJSON(), { confirmedAt, _deleted: false }))
    if (docs.length === 0) return redated
    const { onRequest } = await dependentsOf(db)
    return [...redated, ...only(docs.filter((doc) => !onRequest(doc))).map(removed)]
  }

  return { of, expired, again }
}

/** True for a request that was read after a search began. The search may lack it only because it is newer (RULES PL9). */
const isReadSince = ({ readStamp, confirmedAt }: RequestRecord, stamp: string, nowMs: number) =>
  readStamp > stamp && pastOrEmpty(confirmedAt, nowMs) !== ''

const removed = (doc: { toMutableJSON(): RequestRecord }) => ({ ...doc.toMutableJSON(), _deleted: true })

/** At `at` (ms of a monotonic clock) a snapshot lacked the records with the keys `gone`, which were not removed. */
type Doubt = { gone: ReadonlySet<string>; at: number; isSuspicious: boolean }

/** Numbers of records: `lacking` in the snapshot, also those that something unsent depends on; `here` and `there` in all. */
interface Comparison {
  /** Keys of local records that the snapshot lacks and that may be removed. */
  gone: readonly string[]
  lacking: number
  here: number
  there: number
  isPaged: boolean
  now: number
}

/** Minimum time between two snapshots, because two answers of one moment are no independent evidence. */
export const SECOND_READ_MS = 30_000

/**
 * Decides which records a snapshot removes. It is suspicious if it is empty or lacks more than half of the local records.
 * @returns `doubt`: what a later snapshot must confirm
 */
export function confirmedTwice(
  before: Doubt | undefined,
  { gone, lacking, here, there, isPaged, now }: Comparison,
): { remove: readonly string[]; doubt?: Doubt; isSuspicious: boolean } {
  const isSuspicious = gone.length > 0 && (there === 0 || lacking * 2 > here)
  if (gone.length === 0 || (!isSuspicious && !isPaged)) return { remove: gone, isSuspicious }
  const both = before ? gone.filter((key) => before.gone.has(key)) : gone
  const isAnySuspicious = isSuspicious || before?.isSuspicious === true
  if (!before || (isAnySuspicious && now - before.at < SECOND_READ_MS)) {
    const doubt = { gone: new Set(both), at: before?.at ?? now, isSuspicious: isAnySuspicious }
    return { remove: [], doubt, isSuspicious }
  }
  const first = gone.filter((key) => !before.gone.has(key))
  const doubt = { gone: new Set(first), at: now, isSuspicious }
  return { remove: both, ...(first.length > 0 && { doubt }), isSuspicious }
}
