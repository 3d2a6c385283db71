/** The pull of quick reports. The content of a report is read only if its summary in the row of the request has changed. */
import type { WithDeleted } from 'rxdb'
import { storedOf } from '#schemas/changes/record-view.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { quickReport, type QuickReportRecord, type QuickReportWire } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { attempt, serverFromWire } from '#sync/wire/declared.ts'
import { forgetResults } from '#sync/changes/change-store.ts'
import { withOthersEdits } from '#sync/merge/merge.ts'
import { PullEngine } from '#sync/pull/engine/engine.ts'
import { answerOnly, type PullServices, type Work } from '#sync/pull/engine/work.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { dependentsOf, eachOnce, isExpiredRecord } from '#sync/retention/expiry.ts'
import { sameSummary, serverFromSummary } from '#sync/resources/quick-report.ts'
import { fewestTriesFirst, readable } from '#sync/scheduler/read-backoff.ts'
import {
  collectionOf,
  type SyncDatabase,
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchRequest,
  fetchRequestName,
} from '#sync/storage/database.ts'
import { localRecords, removalsOf } from './local-records.ts'

type Doc = WithDeleted<QuickReportRecord>

export class QuickReportPull extends PullEngine<Doc, PullServices> {
  private readonly removals = eachOnce()
  /** True if a round was started and its requests were not compared yet. */
  private isNewRound = true
  /** Requests that were written or removed since the last check. */
  private readonly written = new Map<string, WithDeleted<RequestRecord>>()
  /** Keys of reports whose content was read since the last check. */
  private readonly contentRead = new Set<string>()

  requestChanged(request: WithDeleted<RequestRecord>): void {
    this.written.set(request.key, request)
  }

  refetch(): void {
    this.isNewRound = true
  }

  /** Plans the reads: screens' fetch requests, then reports whose summary has changed, then contents. */
  protected async plan(isOpen: boolean): Promise<Doc[] | null> {
    const { parts } = this
    const isRelevant = ({ kind, resource }: FetchRequest) => kind === 'detail' && resource === 'quickReports'
    const pending = await pendingFetchRequests(parts.db, this, isRelevant)
    for (const fetchRequest of pending)
      this.offer({
        name: fetchRequestName(fetchRequest),
        priority: isForCurrentScreen(fetchRequest.askedAt, pending) ? 'screen' : 'window',
        fetchRequest,
        read: reportRead(parts, fetchRequest.recordKey ?? ''),
      })
    if (!isOpen) return null
    if (this.isNewRound || this.written.size > 0) return this.changedReports()
    await this.offerContents()
    return null
  }

  /** The reports whose summary has changed. A new round compares all requests; else only those that were just written. */
  private async changedReports(): Promise<Doc[]> {
    const { db } = this.parts
    const latest = this.isNewRound ? null : [...this.written.values()].filter(({ _deleted }) => !_deleted)
    this.isNewRound = false
    this.written.clear()
    try {
      const requests = latest ?? (await allRequests(db))
      const docs = reconcileSummaries(requests, await localReports(db))
      for (const { key } of docs.filter(({ _deleted }) => _deleted))
        await forgetResults(db, 'quickReports', [key], requests.find((one) => one.key === key)?.readStamp)
      this.contentRead.clear()
      this.removals.again()
      return docs.map(storedOf)
    } catch (error) {
      this.isNewRound = true
      throw error
    }
  }

  private async offerContents(): Promise<void> {
    const { parts, contentRead } = this
    if (this.free('background') <= 0) return
    const isDue = ({ server, key }: QuickReportRecord) =>
      server?.outTime && !server.detailed && !contentRead.has(key)
    const due = (await localReports(parts.db)).filter((one) => isDue(one) && this.mayStart(one.key))
    const ordered = fewestTriesFirst(due, ({ key }) => this.triesOf(key))
    for (const { key, serverId } of ordered.slice(0, this.free('background')))
      this.offer({
        name: key,
        priority: 'background',
        read: reportRead(parts, serverId, key, () => contentRead.add(key)),
      })
  }

  /** Removals of reports whose request has left the device, a day after they were confirmed (RULES EX1). */
  protected async expired(): Promise<Doc[]> {
    const { db, clock } = this.parts
    const old = (await localReports(db)).filter((report) => isExpiredRecord(report, clock))
    if (old.length === 0) return []
    const requests = await db.requests.findByIds(old.map(({ key }) => key)).exec()
    const { onRecord } = await dependentsOf(db)
    const over = old.filter((report) => !requests.has(report.key) && !onRecord('quickReports', report))
    return this.removals.only(await removalsOf(db, 'quickReports', over))
  }
}

async function allRequests(db: SyncDatabase): Promise<RequestSummary[]> {
  const requests: RequestSummary[] = []
  for await (const ofDay of requestsByDay(db))
    for (const { key, id, workingDate, workingDateType, quickReport: summary, readStamp } of ofDay)
      requests.push({ key, id, workingDate, workingDateType, quickReport: summary, readStamp })
  return requests
}

const localReports = (db: SyncDatabase, key?: string): Promise<QuickReportRecord[]> =>
  localRecords<QuickReportRecord>(
    { db, name: 'quickReports', collection: collectionOf<QuickReportRecord>(db, 'quickReports') },
    key === undefined ? {} : { key },
    (report) => key === undefined || report.key === key,
  )

const quickReportWire = wireOf(quickReport)

/** The read of a report's content. @param key the report's key, if the device has the summary. @param onAnswer of the CRM */
const reportRead =
  (parts: PullServices, id: string, key?: string, onAnswer?: () => void): Work<Doc>['read'] =>
  async (options) => {
    const { api, clock, gate, report } = parts
    const stamp = clock.stamp()
    const path = `quickReport/${encodeURIComponent(id)}`
    const outcome = readable(gate, await api.read(path, {}, options))
    onAnswer?.()
    if (outcome.kind !== 'accepted') return answerOnly(outcome.kind === 'missing' ? 'missing' : 'failed')
    const row = attempt(() => quickReportWire(outcome.body))
    if (row.kind === 'unreadable') {
      report(`quickReport/${id}: ${row.problem}`)
      return answerOnly('failed')
    }
    return async () => {
      const docs = await mergeReport(parts, row.value, stamp, key)
      return { docs, state: docs.length > 0 ? 'answered' : 'failed', total: docs.length }
    }
  }

/** Merges a read with the local report, which is read after the CRM's answer, so that no change since is lost (PL3, SV3). */
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
  return [storedOf(withOthersEdits('quickReports', local, { ...report, server, _deleted: false }))]
}

/** The fields of a request that its report needs. Thousands of them fit in memory. */
export type RequestSummary = Pick<
  RequestRecord,
  'key' | 'id' | 'workingDate' | 'workingDateType' | 'quickReport' | 'readStamp'
>

/** The reports to write. A request read before its report is skipped: its summary may lack a change that was just sent. */
export function reconcileSummaries(requests: readonly RequestSummary[], reports: QuickReportRecord[]): Doc[] {
  const byKey = new Map(reports.map((report) => [report.key, report]))
  return requests.flatMap((request): Doc[] => {
    const { key, quickReport: summary, readStamp } = request
    const report = byKey.get(key)
    if (report?.server && readStamp <= report.server.stamp) return []
    // The CRM no longer has the report. Its unsent changes are separate documents and stay.
    if (!summary) return report?.server ? [{ ...report, _deleted: true }] : []
    if (report?.server && sameSummary(report.server, summary)) return []
    const server = serverFromSummary(summary, report?.server, readStamp)
    const doc = { ...(report ?? blankReport(request)), serverId: summary.id, server, _deleted: false }
    return [withOthersEdits('quickReports', report, doc)]
  })
}

type Visit = Pick<RequestSummary, 'key' | 'id' | 'workingDate' | 'workingDateType'>
const blankReport = ({ key, id: requestId, workingDate, workingDateType }: Visit) => ({
  key,
  requestId,
  workingDate,
  workingDateType,
  changes: [],
  unsent: 'no' as const,
})
