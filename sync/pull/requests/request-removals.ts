/**
 * Requests that leave the device: those that a complete search lacks, and those that have expired (RULES PL1,
 * EX1).
 */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { createDoubts } from './mass-removal-guard.ts'
import { eachOnce, expiredBefore } from '#sync/retention/expiry.ts'
import { dependentsOf } from '#sync/retention/dependents.ts'
import { pastOrEmpty } from '#sync/pull/engine/freshness.ts'
import { isComplete, missingKeys, type Snapshot } from '#sync/pull/engine/reconcile.ts'
import type { Range } from './rounds.ts'
import { NO_CONDITIONS, type Search } from './search-paging.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { UNDATED_MS } from '#sync/lib/trusted-time.ts'

type Docs = WithDeleted<RequestRecord>[]

interface Parts {
  db: SyncDatabase
  clock: PullClock
  report: (problem: string) => void
  /** True if RxDB is about to write a newer read of the request (RULES trap 14). */
  isGiven: (key: string) => boolean
}

/** A search whose last page was read. */
interface Searched extends Pick<Search, 'filter' | 'question' | 'stamp'> {
  snapshot: Snapshot
}

interface Gone {
  docs: Docs
  /** True if records are missing and were not removed (RULES PL6). */
  isDoubted: boolean
  /** True if it must be read again at once. */
  isRereadNow: boolean
}
export const NONE_REMOVED: Gone = { docs: [], isDoubted: false, isRereadNow: false }

export function createRequestRemovals({ db, clock, report, isGiven }: Parts) {
  const evicted = eachOnce()
  /** Doubts about each range of rounds, and about the days that screens searched. */
  const doubts = createDoubts()

  /**
   * The requests that a search lacks. Only a search by days alone removes records, because how the CRM compares
   * texts is unknown.
   * @param range range of the round
   */
  async function of({ filter, question, stamp, snapshot }: Searched, range: Range): Promise<Gone> {
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
    const keys = docs.map((doc) => doc.key)
    const missing = missingKeys(snapshot, keys, new Set(docs.filter(onRequest).map((doc) => doc.key)))
    const days = question ? `${from} ${to}` : range
    const lacking = missingKeys(snapshot, keys, new Set()).length
    const isPaged = snapshot.totals.length > 1
    const look = { gone: missing, lacking, here: docs.length, there: snapshot.seen.size, isPaged }
    const { remove, isDoubted, isReported, isRereadNow } = doubts.look(days, look)
    if (isReported) report(`request/search: ${missing.length} of ${docs.length} are gone`)
    const leaving = new Set(remove)
    return { docs: docs.filter((doc) => leaving.has(doc.key)).map(removed), isDoubted, isRereadNow }
  }

  /** Requests not confirmed for a day (RULES EX1). Those stamped by a wrong clock expire a day from now (EX3). */
  async function expired(): Promise<Docs> {
    const time = Math.max(clock.borneOut(), clock.now())
    const find = async (confirmedAt: object) => {
      const found = await db.requests.find({ selector: { confirmedAt } }).exec()
      return found.filter(({ key }) => !isGiven(key))
    }
    const docs = await find({ $lt: expiredBefore(clock.borneOut()) })
    const undated = evicted.only(await find({ $gt: isoOf(time + UNDATED_MS) }))
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
