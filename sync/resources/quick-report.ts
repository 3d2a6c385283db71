/** Sends and reads quick reports: entry, exit of one or several visits, edit (crm-contract 4). */
import { type } from 'arktype'
import { fieldsSet, pickSameKeys } from '#schemas/changes/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { emptyContent } from '#schemas/declare/form-values.ts'
import {
  goesWith,
  quickReport,
  type QuickReportChange,
  type QuickReportContent,
  type QuickReportRecord,
  type QuickReportServer,
} from '#schemas/resources/quick-report.ts'
import { quickReportCreated, type RequestRecord } from '#schemas/resources/request.ts'
import { mergedEdit, type EditRules } from '#sync/merge/merge.ts'
import { sameInstant, timesInTokyo, withoutStaleCodeNames } from '../wire/declared.ts'
import { pathOf, readRecord, readRequestRow, type PushResource } from './resource.ts'

const wire = wireOf(quickReport)

const rules: EditRules = {
  edited: ({ fields }: AnyChange) => fieldsSet(fields),
  together: quickReport.together,
}

/** The content to send. An exit or edit is merged with the CRM's state. */
const contentOf = (record: QuickReportRecord, change: QuickReportChange): QuickReportContent =>
  timesInTokyo(quickReport, {
    ...change.fields,
    ...(change.kind !== 'entry' &&
      pickSameKeys(mergedEdit(rules, record, change).fields, rules.edited(change))),
  })

export const quickReports: PushResource<QuickReportRecord> = {
  plan({ record, change }, group, loginUserId) {
    const content = contentOf(record, change)
    const recordKeys = [record.key]
    if (change.kind === 'entry') {
      const body = entryBody(record, { ...change, fields: content }, loginUserId)
      return { call: { method: 'POST', path: 'quickReport/', body, idempotencyKey: change.id }, recordKeys }
    }
    if (record.serverId === '') return null
    if (change.kind === 'edit' && record.server?.outTime) {
      const body = editBody(content, loginUserId)
      return {
        call: { method: 'PUT', path: pathOf(quickReport, record.serverId), body },
        recordKeys,
        isOfOne: true,
      }
    }
    // All reports of the call get one content. One that somebody else has changed has another, and needs its own call.
    const sharing = group.filter((member) => {
      if (member.key === record.key) return true
      const own = member.changes.find((each) => each.group === change.group)
      if (!own || member.serverId === '') return false
      return JSON.stringify(contentOf(member, own)) === JSON.stringify(content)
    })
    const serverIds = sharing.map((member) => member.serverId)
    const body = exitBody(content, serverIds, loginUserId)
    const call = { method: 'PUT', path: 'quickReport/requestUpdate', body } as const
    return { call, recordKeys: sharing.map((member) => member.key) }
  },

  created(body) {
    const created = quickReportCreated(body)
    return created instanceof type.errors ? null : { id: created.id }
  },
  async readBack({ record, change }, read) {
    const found = await readRequestRow(read, record.requestId, record.workingDate)
    if (found.kind !== 'row') return found
    const { row } = found
    const report = row.workingDate === record.workingDate ? row.quickReport : null
    return report && sameInstant(report.inTime ?? null, change.fields.inTime)
      ? { kind: 'ours', serverId: report.id }
      : { kind: 'absent' }
  },

  refusesSecond: true,
  isKnownAgain: true,
  serverAfter: ({ record, change }, { id }, stamp) =>
    serverAfter(record.server, { ...change, fields: contentOf(record, change) }, id, stamp),
  edits: {
    ...rules,
    readNow: (record, stamp, read) => readRecord(read, quickReport, wire, record, stamp, {}),
  },
}

const EMPTY = emptyContent(quickReport)

/** Body of `POST quickReport/`, the entry (入館). */
export const entryBody = (record: QuickReportRecord, change: QuickReportChange, loginUserId: string) => ({
  requestId: record.requestId,
  workingDate: record.workingDate,
  workingDateType: record.workingDateType,
  inTime: change.fields.inTime,
  loginUserId,
})

/** A report in a request body. A reason of another `type` of work, which the CRM refuses, is null (crm-contract 2). */
export const contentBody = ({ type, reason1, reason2, reportContent }: QuickReportContent) => ({
  type,
  reason1: goesWith('reason1', type) ? reason1 || null : null,
  reason2: goesWith('reason2', type) ? reason2 || null : null,
  reportContent: reportContent || null,
})

/** Body of `PUT quickReport/requestUpdate`, the exit (退館) of one or several visits. */
export const exitBody = (fields: QuickReportContent, serverIds: readonly string[], loginUserId: string) => ({
  outTime: fields.outTime,
  ...contentBody(fields),
  quickReports: serverIds.map((id) => ({ id })),
  loginUserId,
})

/** Body of `PUT quickReport/{id}`. Without `inTime` the CRM leaves the entry time unchanged. */
export const editBody = (fields: QuickReportContent, loginUserId: string) => ({
  ...(fields.inTime ? { inTime: fields.inTime } : {}),
  outTime: fields.outTime,
  ...contentBody(fields),
  loginUserId,
})

/**
 * Converts the report summary in a request's row to a CRM state. The summary has no reasons and no text. Both stay as
 * last read, and `detailed: false` marks them as outdated if the summary differs.
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

/** True if the state already has the summary's values. */
export const sameSummary = (
  server: QuickReportServer,
  { id, inTime, outTime, type, editStatus }: NonNullable<RequestRecord['quickReport']>,
) =>
  server.id === id &&
  sameInstant(server.inTime, inTime) &&
  sameInstant(server.outTime, outTime) &&
  server.type === type &&
  server.editStatus === editStatus

/** The CRM state after the CRM has accepted a change. */
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
