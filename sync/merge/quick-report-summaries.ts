/**
 * Compares the report summaries in request rows with the reports on the device (RULES PL3). Pure.
 */
import type { WithDeleted } from 'rxdb'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { withOthersEdits } from './others-edits.ts'
import { sameSummary, serverFromSummary } from '../wire/quick-report.ts'

type Doc = WithDeleted<QuickReportRecord>

/** The fields of a request that are needed here. Thousands of requests of only these fit in memory. */
export type RequestSummary = Pick<
  RequestRecord,
  'key' | 'id' | 'workingDate' | 'workingDateType' | 'quickReport' | 'readStamp'
>

/** Picks the needed fields of a request. */
export const summaryPart = ({
  key,
  id,
  workingDate,
  workingDateType,
  quickReport,
  readStamp,
}: RequestRecord): RequestSummary => ({
  key,
  id,
  workingDate,
  workingDateType,
  quickReport,
  readStamp,
})

/**
 * Returns the report documents to write. A row that was read before the report's last confirmation is
 * ignored, because it may predate what was just sent.
 */
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

function withSummary(
  request: RequestSummary,
  summary: NonNullable<RequestSummary['quickReport']>,
  report: QuickReportRecord | undefined,
): Doc {
  const base = report ?? {
    key: request.key,
    requestId: request.id,
    workingDate: request.workingDate,
    workingDateType: request.workingDateType,
    changes: [],
    unsent: 'no' as const,
  }
  const server = serverFromSummary(summary, report?.server, request.readStamp)
  return withOthersEdits('quickReports', report, { ...base, serverId: summary.id, server, _deleted: false })
}

/** The CRM no longer has the report. Its unsent changes are separate documents and stay. */
const withoutServer = (report: QuickReportRecord): Doc => ({ ...report, _deleted: true })
