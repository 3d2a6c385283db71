/**
 * The pull of quick reports. The row of a request has a summary of its report. The content of a report is read only if
 * the summary has changed (`GET quickReport/{id}`). The engine runs the reads (`engine.ts`).
 */
import type { WithDeleted } from 'rxdb'
import { wireOf } from '#schemas/declare/derive.ts'
import { quickReport, type QuickReportRecord, type QuickReportWire } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { attempt } from '#sync/lib/attempt.ts'
import { withOthersEdits } from '#sync/merge/merge.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import { answerOnly, type PullServices, type Work } from '#sync/pull/engine/work.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { dependentsOf, eachOnce, isExpiredRecord, type EachOnce } from '#sync/retention/expiry.ts'
import { sameSummary, serverFromSummary } from '#sync/resources/quick-report.ts'
import { fewestTriesFirst, readable } from '#sync/scheduler/read-backoff.ts'
import { collectionOf, type SyncDatabase } from '#sync/storage/database.ts'
import {
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchRequest,
  fetchRequestName,
} from '#sync/storage/fetch-requests.ts'
import { serverFromWire } from '#sync/wire/declared.ts'
import { asStored, forgetResults, localRecords, removalsOf } from './local-records.ts'

type Doc = WithDeleted<QuickReportRecord>

interface State {
  parts: PullServices
  engine: PullEngine<Doc>
  /** Number of rounds that were started. */
  round: number
  /** Number of the last round whose requests were compared. */
  done: number
  /** Requests that were written or removed since the last check. */
  written: Map<string, WithDeleted<RequestRecord>>
  /** Keys of reports whose content was read in this round. */
  contentRead: Set<string>
  returnedRemovals: EachOnce
}

export function createQuickReportPull(parts: PullServices) {
  const engine = createPullEngine<Doc>(parts, {
    plan: (isOpen) => plan(state, isOpen),
    expired: () => expired(state),
  })
  const state: State = {
    parts,
    engine,
    round: 1,
    done: 0,
    written: new Map(),
    contentRead: new Set(),
    returnedRemovals: eachOnce(),
  }
  return {
    handler: async () => (await engine.handler()).map(asStored),
    recheck: engine.recheck,
    requestChanged(request: WithDeleted<RequestRecord>) {
      state.written.set(request.key, request)
    },
    refetch() {
      state.round += 1
    },
  }
}

/** Plans the reads: screens' fetch requests, then reports whose summary has changed, then contents. */
async function plan(state: State, isOpen: boolean): Promise<Doc[] | null> {
  const { parts, engine } = state
  const isRelevant = ({ kind, resource }: FetchRequest) => kind === 'detail' && resource === 'quickReports'
  const pending = await pendingFetchRequests(parts.db, engine, isRelevant)
  for (const fetchRequest of pending)
    engine.offer({
      name: fetchRequestName(fetchRequest),
      priority: isForCurrentScreen(fetchRequest.askedAt, pending) ? 'screen' : 'window',
      fetchRequest,
      read: reportRead(parts, fetchRequest.recordKey ?? ''),
    })
  if (!isOpen) return null
  if (state.done < state.round || state.written.size > 0) return changedReports(state)
  await offerContents(state)
  return null
}

/** The reports whose summary has changed. A new round compares all requests; else only those that were just written. */
async function changedReports(state: State): Promise<Doc[]> {
  const { parts, round, written } = state
  const latest = [...written.values()]
  const isNewRound = state.done < round
  const requests = isNewRound ? await allRequests(parts.db) : latest.filter(({ _deleted }) => !_deleted)
  const docs = reconcileSummaries(requests, await localReports(parts.db))
  const removed = docs.filter(({ _deleted }) => _deleted)
  for (const { key } of removed)
    await forgetResults(parts.db, 'quickReports', [key], requests.find((one) => one.key === key)?.readStamp)
  state.done = round
  for (const request of latest) if (written.get(request.key) === request) written.delete(request.key)
  state.contentRead.clear()
  state.returnedRemovals.again()
  return docs
}

async function offerContents({ parts, engine, contentRead }: State): Promise<void> {
  if (engine.free('background') <= 0) return
  const isDue = ({ server, key }: QuickReportRecord) =>
    server?.outTime && !server.detailed && !contentRead.has(key)
  const due = (await localReports(parts.db)).filter((one) => isDue(one) && engine.mayStart(one.key))
  const ordered = fewestTriesFirst(due, ({ key }) => engine.triesOf(key))
  for (const { key, serverId } of ordered.slice(0, engine.free('background')))
    engine.offer({
      name: key,
      priority: 'background',
      read: reportRead(parts, serverId, { key, onAnswer: () => void contentRead.add(key) }),
    })
}

/** Removals of reports whose request has left the device, a day after they were confirmed (RULES EX1). */
async function expired({ parts: { db, clock }, returnedRemovals }: State): Promise<Doc[]> {
  const old = (await localReports(db)).filter((report) => isExpiredRecord(report, clock))
  if (old.length === 0) return []
  const requests = await db.requests.findByIds(old.map(({ key }) => key)).exec()
  const { onRecord } = await dependentsOf(db)
  const over = old.filter((report) => !requests.has(report.key) && !onRecord('quickReports', report))
  return returnedRemovals.only(await removalsOf(db, 'quickReports', over))
}

async function allRequests(db: SyncDatabase): Promise<RequestSummary[]> {
  const requests: RequestSummary[] = []
  for await (const ofDay of requestsByDay(db)) requests.push(...ofDay.map(summaryPart))
  return requests
}

const localReports = (db: SyncDatabase, key?: string): Promise<QuickReportRecord[]> =>
  localRecords<QuickReportRecord>(
    { db, name: 'quickReports', collection: collectionOf<QuickReportRecord>(db, 'quickReports') },
    key === undefined ? {} : { key },
    (report) => key === undefined || report.key === key,
  )

const quickReportWire = wireOf(quickReport)

/** A report whose summary is known. */
interface Known {
  key: string
  /** Called when the CRM has answered the read. */
  onAnswer(): void
}

/** The read of a report's content. @param known without it, neither report nor request need be on the device */
const reportRead =
  (parts: PullServices, id: string, known?: Known): Work<Doc>['read'] =>
  async (options) => {
    const { api, clock, gate, report } = parts
    const stamp = clock.stamp()
    const path = `quickReport/${encodeURIComponent(id)}`
    const outcome = readable(gate, await api.read(path, {}, options))
    known?.onAnswer()
    if (outcome.kind !== 'accepted') return answerOnly(outcome.kind === 'missing' ? 'missing' : 'failed')
    const row = attempt(() => quickReportWire(outcome.body))
    if (row.kind === 'unreadable') {
      report(`quickReport/${id}: ${row.problem}`)
      return answerOnly('failed')
    }
    return async () => {
      const docs = await mergeReport(parts, row.value, stamp, known?.key)
      return { docs, state: docs.length > 0 ? 'answered' : 'failed', total: docs.length }
    }
  }

/**
 * Merges a read with the local report, which is read after the CRM's answer: changes that were saved, sent or refused
 * during the call must not be overwritten (PL3, SV3).
 */
async function mergeReport(
  { db }: PullServices,
  wire: QuickReportWire,
  stamp: string,
  known: string | undefined,
): Promise<Doc[]> {
  const { id: serverId, requestId: id, workingDate, workingDateType = null } = wire
  const key = known ?? visitKey(id, workingDate)
  const [local] = await localReports(db, key)
  if (local?.server ? local.server.stamp > stamp : known !== undefined) return []
  const blank = blankReport({ key, id, workingDate, workingDateType })
  const report = local && known !== undefined ? local : { ...(local ?? blank), serverId }
  const server = { ...serverFromWire(quickReport, wire), stamp }
  return [withOthersEdits('quickReports', local, { ...report, server, _deleted: false })]
}

/** The fields of a request that its report needs. Thousands of them fit in memory. */
export type RequestSummary = Pick<
  RequestRecord,
  'key' | 'id' | 'workingDate' | 'workingDateType' | 'quickReport' | 'readStamp'
>

const summaryPart = (request: RequestRecord): RequestSummary => {
  const { key, id, workingDate, workingDateType, quickReport: summary, readStamp } = request
  return { key, id, workingDate, workingDateType, quickReport: summary, readStamp }
}

/** The reports to write. A row that was read before the report may be older than a change that was just sent. */
export function reconcileSummaries(requests: readonly RequestSummary[], reports: QuickReportRecord[]): Doc[] {
  const byKey = new Map(reports.map((report) => [report.key, report]))
  return requests.flatMap((request) => {
    const report = byKey.get(request.key)
    const isNewer = !report?.server || request.readStamp > report.server.stamp
    if (!isNewer) return []
    if (!request.quickReport) return report?.server ? [withoutServer(report)] : []
    if (report?.server && sameSummary(report.server, request.quickReport)) return []
    return [withSummary(request, request.quickReport, report)]
  })
}

type Visit = Pick<RequestSummary, 'key' | 'id' | 'workingDate' | 'workingDateType'>
const blankReport = ({ key, id: requestId, workingDate, workingDateType }: Visit) => {
  const visit = { key, requestId, workingDate, workingDateType }
  return { ...visit, changes: [], unsent: 'no' as const }
}

function withSummary(
  request: RequestSummary,
  summary: NonNullable<RequestSummary['quickReport']>,
  report: QuickReportRecord | undefined,
): Doc {
  const base = report ?? blankReport(request)
  const server = serverFromSummary(summary, report?.server, request.readStamp)
  return withOthersEdits('quickReports', report, { ...base, serverId: summary.id, server, _deleted: false })
}

/** The CRM no longer has the report. Its unsent changes are separate documents and stay. */
const withoutServer = (report: QuickReportRecord): Doc => ({ ...report, _deleted: true })
