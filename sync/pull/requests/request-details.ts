/** Reads single requests by id: those that screens need, and those whose details are due (RULES PL4, PL5, PL9). */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { requestWire, type RequestRecord, type RequestWire } from '#schemas/resources/request.ts'
import { attempt } from '#sync/wire/declared.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { answerOnly, type Merged, type PullServices, type Work } from '#sync/pull/engine/work.ts'
import { daysAt, detailsDue, laterDueBefore } from '#sync/pull/engine/freshness.ts'
import { fewestTriesFirst, readable } from '#sync/scheduler/read-backoff.ts'
import {
  fetchRequestName,
  receiptRow,
  type FetchRequest,
  readByKeys,
  readOnce,
  type SyncDatabase,
} from '#sync/storage/database.ts'
import { toRequestRecord, type ReadMark } from '#sync/wire/request.ts'
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch.ts'
import type { PullEngine } from '#sync/pull/engine/engine.ts'

type Doc = WithDeleted<RequestRecord>

const DUE_MAX = 100

export const markNow = (clock: Pick<PullClock, 'now' | 'stamp'>): ReadMark => ({
  stamp: clock.stamp(),
  at: isoOf(clock.now()),
})

/**
 * Offers reads of the details that are due, then of those that only confirm. Returns what is left over, most urgent first.
 * @param before what the last call left over
 */
export async function offerDueDetails(
  reads: RequestReads,
  before: readonly RequestRecord[],
  refreshedAt: string,
): Promise<readonly RequestRecord[]> {
  const { engine, memory } = reads
  if (engine.free('background') <= 0) return before
  const isUnread = ({ key }: RequestRecord) => !memory.isRead(key) && !engine.isCovered(key)
  const left = before.filter(isUnread)
  // Paced requests are found anew at each call, because other requests may have become urgent since the last call.
  const { due, paced } =
    left.length > 0 ? { due: left, paced: [] } : await findDue(reads, isUnread, refreshedAt)
  const offer = (request: RequestRecord, isPaced: boolean) =>
    engine.offer({ name: request.key, priority: 'background', isPaced, read: detailRead(reads, request) })
  for (const one of due.splice(0, engine.free('background'))) offer(one, false)
  // What the rate limit does not admit now is found again when the rate limit wakes the pull.
  if (due.length === 0) paced.every((one) => offer(one, true))
  return due
}

async function findDue(
  { db, clock, engine, pacer }: RequestReads,
  isUnread: (request: RequestRecord) => boolean,
  refreshedAt: string,
) {
  const now = clock.now()
  const days = daysAt(now)
  // This includes '', the time of details that were never read.
  const old = { detailConfirmedAt: { $lte: isoOf(laterDueBefore(now)) } }
  const ahead = { detailConfirmedAt: { $gt: isoOf(now) } }
  const near = { workingDate: { $gte: days.carried, $lte: days.soon } }
  const rows = await Promise.all([old, ahead, near].map((selector) => readOnce(db.requests, { selector })))
  const records = new Map(rows.flat().map((request) => [request.key, request]))
  const unread = [...records.values()].filter((one) => isUnread(one) && engine.mayStart(one.key))
  const freshness = { now, days, refreshedAt, pauseStartedAt: pacer.pauseStartedAt() }
  const { due, paced } = detailsDue(unread, freshness)
  const firstFew = (some: RequestRecord[]) =>
    fewestTriesFirst(some, ({ key }) => engine.triesOf(key)).slice(0, DUE_MAX)
  return { due: firstFew(due), paced: firstFew(paced) }
}

export function requestedDetail(
  reads: RequestReads,
  fetchRequest: FetchRequest,
  forCurrentScreen: boolean,
): Work<Doc> {
  const { requestId: id = '', workingDate = '' } = fetchRequest
  return {
    name: fetchRequestName(fetchRequest),
    priority: forCurrentScreen ? 'screen' : 'window',
    fetchRequest,
    replaces: visitKey(id, workingDate),
    read: detailRead(reads, { id, workingDate }),
  }
}

/** The read of one request by id. A request that the CRM refused is not read again in this round. */
const detailRead =
  (reads: RequestReads, { id, workingDate }: Pick<RequestRecord, 'id' | 'workingDate'>): Work<Doc>['read'] =>
  async (options) => {
    const { api, gate, clock, supplierStaffId, memory } = reads
    const key = visitKey(id, workingDate)
    const mark = markNow(clock)
    const query = { supplierStaffId, workingDate: workingDate || undefined }
    const outcome = await api.read(`request/${encodeURIComponent(id)}`, query, options)
    // Another read of the same request, for a screen, began later and has ended.
    if (memory.isReadSince(key, mark.stamp)) return answerOnly('answered')
    const read = readable(gate, outcome)
    memory.read(key, mark.stamp)
    if (read.kind !== 'accepted') return answerOnly(read.kind === 'missing' ? 'missing' : 'failed')
    const row = attempt(() => requestWire(read.body))
    if (row.kind === 'read') return () => mergeDetail(reads, row.value, mark)
    reads.report(`request/${id}: ${row.problem}`)
    return answerOnly('failed')
  }

async function mergeDetail({ memory }: RequestReads, row: RequestWire, mark: ReadMark): Promise<Merged<Doc>> {
  const found = visitKey(row.id, row.workingDate)
  const previous = (await memory.local([found])).get(found)
  const converted = { ...toRequestRecord(row, previous, mark, 'single'), detailConfirmedAt: mark.at }
  // If a search has read the row later, only the details are taken from this read by id (RULES PL9).
  const isOlder = previous !== undefined && previous.readStamp > converted.readStamp
  // An empty time means that the later row has changed, so its details must be read again.
  const isDue = isOlder && previous.detailConfirmedAt === ''
  if (isDue) memory.unread(found)
  const doc: Doc = {
    ...(isOlder ? { ...previous, detail: converted.detail } : converted),
    detailConfirmedAt: isDue ? '' : mark.at,
    // The digest of the last search row stays, because a row that was read by id may omit other fields.
    rowDigest: previous?.rowDigest ?? converted.rowDigest,
    _deleted: false,
  }
  memory.noteWrites([doc])
  return { docs: [doc], state: 'answered', total: 1 }
}

export interface RequestReads extends PullServices {
  supplierStaffId: string
  memory: ReturnType<typeof createRequestMemory>
  engine: PullEngine<WithDeleted<RequestRecord>>
}

/**
 * Remembers the requests that a round has read, and the documents that RxDB may not have written yet (RULES trap 14). Only
 * the window's receipt, that all its rows were read and stored, lets a screen say that a day has no requests (PL4).
 */
export function createRequestMemory(db: SyncDatabase, report: (problem: string) => void) {
  /** By key of a request: the stamp of its read in this round. */
  const stamps = new Map<string, string>()
  /** By key: the documents that RxDB has received and not written yet. */
  const coming = new Map<string, RequestRecord>()
  /** Keys of `coming` that the next round forgets, because RxDB never writes a document that is unchanged. */
  let comingAtRoundStart: readonly string[] = []
  /** The receipt of the window, and the keys of the documents that it waits for; null if there is nothing to write. */
  let receipt: { at: string; basis: string; awaited: Set<string> } | null = null

  function storeReceipt() {
    if (receipt === null || receipt.awaited.size > 0) return
    const row = receiptRow(WINDOW_LIST.collection, { ...receipt, owner: WINDOW_LIST.owner, stamp: '' })
    receipt = null
    // If the device is full or closing, the next round over the window writes the receipt.
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    isRead: (key: string) => stamps.has(key),
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    unread: (key: string) => void stamps.delete(key),
    noteWrites(docs: readonly RequestRecord[]) {
      for (const doc of docs) coming.set(doc.key, doc)
    },
    isBeingWritten: (key: string) => coming.has(key),
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      if (!_deleted && (coming.get(key)?.readStamp ?? '') > readStamp) return
      coming.delete(key)
      receipt?.awaited.delete(key)
      storeReceipt()
    },
    /** @param at when the round began, ISO 8601. @param unreadDays days with unreadable rows */
    windowRead(at: string, unreadDays: Iterable<string>) {
      receipt = { at, basis: [...unreadDays].join(UNREAD_DAYS_BY), awaited: new Set(coming.keys()) }
      storeReceipt()
    },
    /** The device has refused documents, so no document is about to be written. */
    refused() {
      coming.clear()
      receipt = null
    },
    beginRound() {
      stamps.clear()
      for (const key of comingAtRoundStart) coming.delete(key)
      comingAtRoundStart = [...coming.keys()]
    },
    /** The records by key: from `coming` if `coming` has newer details, otherwise from the device. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        const read = coming.get(key)
        if (read && read.detailConfirmedAt > (local.get(key)?.detailConfirmedAt ?? '')) local.set(key, read)
      }
      return local
    },
  }
}
