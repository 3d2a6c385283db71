/** Exit (quick) report: the entry and the exit of one request on one working day (spec 3, crm-contract 4). */
import { type } from 'arktype'
import { changeBase, travelling } from './change.ts'
import { codeSchema } from './code-schema.ts'
import { QuickReportType, Reason1, Reason2 } from './codes.ts'
import { ID_MAX, REPORT_CONTENT_MAX } from './limits.ts'
import { isoDateTime, wireCode, wireDateTime, wireId, wireText, isoDate } from './wire.ts'

const textOrNull = type('string | null')

/** What a report says; the part an exit or an edit sends. */
export const quickReportContent = type({
  inTime: textOrNull,
  outTime: textOrNull,
  type: textOrNull,
  reason1: textOrNull,
  reason2: textOrNull,
  reportContent: textOrNull,
})
export type QuickReportContent = typeof quickReportContent.infer

/** The CRM's last confirmed state of a report. */
const serverState = quickReportContent.merge({
  id: `string <= ${ID_MAX}`,
  editStatus: textOrNull,
  /** Whether reasons and content were read (`GET quickReport/{id}`), or only the request's summary. */
  detailed: 'boolean',
  /** Stamp taken before the read or call that confirmed this state: an older read never overwrites it. */
  stamp: 'string',
})

/** entry: 入館登録; exit: 退館報告登録; edit: 退館報告編集. */
export const quickReportChange = changeBase.merge({
  kind: "'entry' | 'exit' | 'edit'",
  fields: quickReportContent,
})
export type QuickReportChange = typeof quickReportChange.infer

/** Key: `visitKey(requestId, workingDate)`; the CRM has at most one report for each (ec00011). */
export const quickReportRecord = travelling.merge({
  workingDateType: textOrNull,
  'server?': serverState,
  changes: quickReportChange.array(),
})
export type QuickReportRecord = typeof quickReportRecord.infer
export type QuickReportServer = NonNullable<QuickReportRecord['server']>

/** `quickReport` inside a request row. */
export const quickReportSummaryWire = type({
  id: wireId,
  'inTime?': wireDateTime,
  'outTime?': wireDateTime,
  'type?': wireCode,
  'editStatus?': wireText,
})

/** `GET quickReport/{id}`. */
export const quickReportWire = quickReportSummaryWire.merge({
  requestId: wireId,
  workingDate: isoDate,
  'workingDateType?': wireCode,
  'reason1Id?': wireCode,
  'reason2Id?': wireCode,
  'reportContent?': wireText,
})
export type QuickReportWire = typeof quickReportWire.infer

/** The answer to `POST quickReport/`. */
export const quickReportCreated = type({ id: wireId, 'inTime?': wireDateTime })

/** The form 退館報告: what is typed, before the exit time is set. Cross-field rules are on the fields (required-if). */
export const quickReportDraft = type({
  type: codeSchema(QuickReportType),
  reason1: codeSchema(Reason1).or("''"),
  reason2: codeSchema(Reason2).or("''"),
  reportContent: `string <= ${REPORT_CONTENT_MAX}`,
})
export type QuickReportDraft = typeof quickReportDraft.infer

/** The popup 入館登録. */
export const quickReportEntryDraft = type({ inTime: isoDateTime })
