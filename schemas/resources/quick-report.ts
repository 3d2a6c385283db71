/** The quick report: the entry and the exit of one request on one working day (spec 3, crm-contract 4). */
import { QuickReportType, Reason1, Reason2 } from '#schemas/codes.ts'
import type {
  ChangeOf,
  ContentOf,
  Declaration,
  RecordOf,
  ServerOf,
  WireOf,
} from '#schemas/declare/declare.ts'
import { REPORT_CONTENT_MAX } from '#schemas/limits.ts'

/**
 * The CRM allows one report for each visit (ec00011), so the record's key is `visitKey`. The bodies have code of
 * their own (`sync/resources/quick-report.ts`), because one call can carry the exits of several visits.
 */
export const quickReport = {
  slug: 'quickReport',
  path: 'quickReport',
  fields: {
    inTime: { kind: 'time', from: 'clock' },
    outTime: { kind: 'time', from: 'clock' },
    type: { kind: 'code', table: QuickReportType, required: true },
    reason1: {
      kind: 'code',
      table: Reason1,
      responseName: 'reason1Id',
      requiredWhile: { type: [QuickReportType.code.incomplete] },
    },
    reason2: {
      kind: 'code',
      table: Reason2,
      responseName: 'reason2Id',
      requiredWhile: { type: [QuickReportType.code.cancelled] },
    },
    // A reason その他 must be explained.
    reportContent: {
      kind: 'text',
      max: REPORT_CONTENT_MAX,
      requiredWhile: { type: [QuickReportType.code.cancelled], reason2: [Reason2.code.other] },
    },
  },
  crmOnlyFields: { editStatus: 'text' },
  codeNames: { type: 'typeName', reason1: 'reason1Name', reason2: 'reason2Name' },
  names: { requestId: 'id', workingDate: 'day', 'workingDateType?': 'code' },
  own: { workingDateType: 'string | null' },
  // Entry (入館登録), exit (退館報告登録) and edit (退館報告編集).
  kinds: ['entry', 'exit', 'edit'],
  sends: { create: null, edit: null },
  identity: { required: ['requestId', 'workingDate'], ifReturned: [], content: ['inTime'] },
  refusesSecond: true,
  owner: null,
  list: 'own',
  together: ['type', 'reason1', 'reason2'],
  editedByOthers: true,
  offline: { add: 'works', edit: 'works' },
  indexes: ['serverId', 'workingDate'],
} as const satisfies Declaration

const REASON_OF = { reason1: QuickReportType.code.incomplete, reason2: QuickReportType.code.cancelled }

/** True if this type of work allows the reason (crm-contract 2). A type without a code in the table allows both. */
export const goesWith = (reason: keyof typeof REASON_OF, type: string | null): boolean =>
  type === REASON_OF[reason] || (type !== null && type !== '' && !QuickReportType.has(type))

/** The content of a report, which an exit or edit sends. */
export type QuickReportContent = ContentOf<typeof quickReport>
/** `detailed`: the reasons and the text were read too, not only the summary. */
export type QuickReportServer = ServerOf<typeof quickReport>
export type QuickReportChange = ChangeOf<typeof quickReport>
export type QuickReportRecord = RecordOf<typeof quickReport>
export type QuickReportWire = WireOf<typeof quickReport>
