/** Reads single requests by id: those that screens need, and those whose details are due (RULES PL4, PL5, PL9). */
import type { WithDeleted } from 'rxdb'
import { isoOf } from '#schemas/instant.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { requestWire, type RequestRecord, type RequestWire } from '#schemas/resources/request.ts'
import { attempt } from '#sync/lib/attempt.ts'
import { answerOnly, type Merge, type Merged, type Work } from '#sync/pull/engine/work.ts'
import { daysAt, detailsDue, laterDueBefore } from '#sync/pull/engine/freshness.ts'
import { fewestTriesFirst, readable } from '#sync/scheduler/read-backoff.ts'
import type { ReadOptions } from '#sync/scheduler/scheduler.ts'
import { type FetchRequest, fetchRequestName } from '#sync/storage/fetch-requests.ts'
import { readOnce } from '#sync/storage/device-rows.ts'
import { toRequestRecord, type ReadMark } from '#sync/wire/request.ts'
import type { RequestReads } from './request-memory.ts'

type Doc = WithDeleted<RequestRecord>

const DUE_MAX = 100

export function createRequestDetails(parts: RequestReads) {
  const { engine, memory } = parts
  /** Requests whose details are due, most urgent first. */
  let due: RequestRecord[] = []
  const isUnread = ({ key }: RequestRecord) => !memory.isRead(key) && !engine.isCovered(key)

  return {
    /** @param refreshedAt when the user last requested everything, ISO 8601; '' if never */
    async offerDue(refreshedAt: string): Promise<void> {
      if (engine.free('background') <= 0) return
      due = due.filter(isUnread)
      let paced: RequestRecord[] = []
      // Paced requests are found anew at each call, because other requests may have become urgent since the last call.
      if (due.length === 0) ({ due, paced } = await findDue(parts, isUnread, refreshedAt))
      for (const one of due.splice(0, engine.free('background'))) engine.offer(detailWork(parts, one, false))
      // What the rate limit does not admit now is found again when the rate limit wakes the pull.
      if (due.length > 0) return
      for (const one of paced) if (!engine.offer(detailWork(parts, one, true))) return
    },

    beginRound: () => void (due = []),
  }
}

/** Finds the requests whose details are to be read, at most `DUE_MAX` of each urgency. */
async function findDue(
  { db, clock, engine, pacer }: RequestReads,
  isUnread: (request: RequestRecord) => boolean,
  refreshedAt: string,
): Promise<{ due: RequestRecord[]; paced: RequestRecord[] }> {
  const now = clock.now()
  const days = daysAt(now)
  // This includes '', the time of details that were never read.
  const old = { detailConfirmedAt: { $lte: isoOf(laterDueBefore(now)) } }
  const ahead = { detailConfirmedAt: { $gt: isoOf(now) } }
  const near = { workingDate: { $gte: days.carried, $lte: days.soon } }
  const rows = await Promise.all([old, ahead, near].map((selector) => readOnce(db.requests, { selector })))
  const records = new Map(rows.flat().map((request) => [request.key, request]))
  const unread = [...records.values()].filter((one) => isUnread(one) && engine.mayStart(one.key))
  const found = detailsDue(unread, { now, days, refreshedAt, pauseStartedAt: pacer.pauseStartedAt() })
  const firstFew = (some: RequestRecord[]) =>
    fewestTriesFirst(some, ({ key }) => engine.triesOf(key)).slice(0, DUE_MAX)
  return { due: firstFew(found.due), paced: firstFew(found.paced) }
}

const detailWork = (
  parts: RequestReads,
  { key, id, workingDate }: RequestRecord,
  isPaced: boolean,
): Work<Doc> => ({
  name: key,
  priority: 'background',
  isPaced,
  read: (options) => readDetail(parts, { id, workingDate }, options),
})

export function requestedDetail(
  parts: RequestReads,
  fetchRequest: FetchRequest,
  forCurrentScreen: boolean,
): Work<Doc> {
  const { requestId: id = '', workingDate = '' } = fetchRequest
  return {
    name: fetchRequestName(fetchRequest),
    priority: forCurrentScreen ? 'screen' : 'window',
    fetchRequest,
    replaces: visitKey(id, workingDate),
    read: (options) => readDetail(parts, { id, workingDate }, options),
  }
}

/** Reads one request by id. A request that the CRM refused is not read again in this round. */
async function readDetail(
  parts: RequestReads,
  { id, workingDate }: Pick<RequestRecord, 'id' | 'workingDate'>,
  options: ReadOptions,
): Promise<Merge<Doc>> {
  const { api, gate, clock, supplierStaffId, memory } = parts
  const key = visitKey(id, workingDate)
  const mark: ReadMark = { stamp: clock.stamp(), at: isoOf(clock.now()) }
  const query = { supplierStaffId, workingDate: workingDate || undefined }
  const outcome = await api.read(`request/${encodeURIComponent(id)}`, query, options)
  // Another read of the same request, for a screen, began later and has ended.
  if (memory.isReadSince(key, mark.stamp)) return answerOnly('answered')
  const read = readable(gate, outcome)
  memory.read(key, mark.stamp)
  if (read.kind !== 'accepted') return answerOnly(read.kind === 'missing' ? 'missing' : 'failed')
  const row = attempt(() => requestWire(read.body))
  if (row.kind === 'read') return () => mergeDetail(parts, row.value, mark)
  parts.report(`request/${id}: ${row.problem}`)
  return answerOnly('failed')
}

async function mergeDetail({ memory }: RequestReads, row: RequestWire, mark: ReadMark): Promise<Merged<Doc>> {
  const found = visitKey(row.id, row.workingDate)
  const previous = (await memory.local([found])).get(found)
  const converted = { ...toRequestRecord(row, previous, mark, 'single'), detailConfirmedAt: mark.at }
  const record = withNewerRow(converted, previous)
  if (record.detailConfirmedAt === '') memory.unread(found)
  // The digest of the last search row stays, because a row that was read by id may omit other fields.
  const rowDigest = previous?.rowDigest ?? record.rowDigest
  const doc: Doc = { ...record, rowDigest, _deleted: false }
  memory.noteWrites([doc])
  return { docs: [doc], state: 'answered', total: 1 }
}

/** If a search has read the row later, the row of the search wins, and the details of the read by id (RULES PL9). */
function withNewerRow(converted: RequestRecord, previous: RequestRecord | undefined): RequestRecord {
  if (!previous || previous.readStamp <= converted.readStamp) return converted
  // An empty time means that the later row has changed, so its details must be read again.
  const isDue = previous.detailConfirmedAt === ''
  return {
    ...previous,
    detail: converted.detail,
    detailConfirmedAt: isDue ? '' : converted.detailConfirmedAt,
  }
}
