/** Maps quick reports between device and CRM (crm-contract 4). Pure. */
import { emptyContent } from '#schemas/declare/form-values.ts'
import {
  goesWith,
  quickReport,
  type QuickReportChange,
  type QuickReportContent,
  type QuickReportRecord,
  type QuickReportServer,
} from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { withoutStaleCodeNames } from './declared.ts'
import { sameInstant } from './fields.ts'

const EMPTY = emptyContent(quickReport)

/** Body of `POST quickReport/`: the start of a visit (入館). */
export const entryBody = (record: QuickReportRecord, change: QuickReportChange, loginUserId: string) => ({
  requestId: record.requestId,
  workingDate: record.workingDate,
  workingDateType: record.workingDateType,
  inTime: change.fields.inTime,
  loginUserId,
})

/** The content in a body. A reason that does not belong to the type is sent as null (crm-contract 2). */
export function contentBody({ type, reason1, reason2, reportContent }: QuickReportContent) {
  return {
    type,
    reason1: goesWith('reason1', type) ? reason1 || null : null,
    reason2: goesWith('reason2', type) ? reason2 || null : null,
    reportContent: reportContent || null,
  }
}

/** Body of `PUT quickReport/requestUpdate`: the end of one or several visits (退館). */
export const exitBody = (fields: QuickReportContent, serverIds: readonly string[], loginUserId: string) => ({
  outTime: fields.outTime,
  ...contentBody(fields),
  quickReports: serverIds.map((id) => ({ id })),
  loginUserId,
})

/** Body of `PUT quickReport/{id}`: an edit. Without `inTime` the entry time does not change. */
export const editBody = (fields: QuickReportContent, loginUserId: string) => ({
  ...(fields.inTime ? { inTime: fields.inTime } : {}),
  outTime: fields.outTime,
  ...contentBody(fields),
  loginUserId,
})

/**
 * Converts the report summary in a request's row to a server state. The summary has no reasons and no text:
 * they stay as last read, and count as out of date (`detailed: false`) once the summary differs.
 */
export function serverFromSummary(
  summary: NonNullable<RequestRecord['quickReport']>,
  previous: QuickReportServer | undefined,
  stamp: string,
): QuickReportServer {
  const isUnchanged = previous !== undefined && sameSummary(previous, summary)
  const base = previous?.id === summary.id ? previous : { ...EMPTY, detailed: false }
  return withoutStaleCodeNames(quickReport, base, {
    ...base,
    ...summary,
    detailed: isUnchanged && base.detailed,
    stamp,
  })
}

/** True if the state has the summary's values. */
export const sameSummary = (
  server: QuickReportServer,
  { id, inTime, outTime, type, editStatus }: NonNullable<RequestRecord['quickReport']>,
) =>
  server.id === id &&
  sameInstant(server.inTime, inTime) &&
  sameInstant(server.outTime, outTime) &&
  server.type === type &&
  server.editStatus === editStatus

/** The server state after the CRM accepted a change. */
export function serverAfter(
  previous: QuickReportServer | undefined,
  change: QuickReportChange,
  serverId: string,
  stamp: string,
): QuickReportServer {
  const base = previous ?? { ...EMPTY, id: serverId, editStatus: null, detailed: true, stamp }
  const content =
    change.kind === 'entry'
      ? { inTime: change.fields.inTime }
      : { ...contentBody(change.fields), outTime: change.fields.outTime, detailed: true }
  return withoutStaleCodeNames(quickReport, base, { ...base, ...content, id: serverId, stamp })
}
