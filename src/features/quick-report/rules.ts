/** Rules of 退館報告 (spec 4, 5): its fields, the period for changes, and the reports of まとめて登録. */
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { DRAFT_KEY_MAX, QUICK_REPORT_UPDATE_DAYS } from '#schemas/limits.ts'
import type { InputOf } from '#schemas/declare/declare.ts'
import { contentOfDraft, isRequiredNow } from '#schemas/declare/form-values.ts'
import { fieldText } from '#data/resources/field-text.ts'
import {
  goesWith,
  quickReport,
  type QuickReportContent,
  type QuickReportRecord,
} from '#schemas/resources/quick-report.ts'
import type { FieldValue } from '#schemas/change-history.ts'
import { daysBetween, stampText } from '#lib/time/tokyo-time.ts'
import { isLockedByCrm } from '#data/database/counting.ts'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import type { MessageKey } from '#messages/messages.ts'
import type { ReportedVisit } from '#data/visits/visits.ts'

/** The form's values as typed; '' means nothing is chosen. */
export type ReportInput = InputOf<typeof quickReport>

const { fields } = quickReport

export const needsReason1 = (input: Pick<ReportInput, 'type'>) => isRequiredNow(fields.reason1, input)
export const needsReason2 = (input: Pick<ReportInput, 'type'>) => isRequiredNow(fields.reason2, input)
export const needsContent = (input: Pick<ReportInput, 'type' | 'reason2'>) =>
  isRequiredNow(fields.reportContent, input)

/** Returns the two reasons after the work category has changed to `type`; a reason of another category becomes ''. */
export function reasonsAfter(type: string, { reason1, reason2 }: Pick<ReportInput, 'reason1' | 'reason2'>) {
  const keeps = (reason: 'reason1' | 'reason2') => type === '' || goesWith(reason, type)
  return { reason1: keeps('reason1') ? reason1 : '', reason2: keeps('reason2') ? reason2 : '' }
}

/** True if a report may still change: up to and including 7 days after the working day (ec00012). */
export const canStillUpdate = (workingDate: string, today: string) =>
  daysBetween(workingDate, today) <= QUICK_REPORT_UPDATE_DAYS

/** Returns the message key of the reason why a report cannot be edited; null if it can. */
export function editBlockedBy(report: QuickReportView, today: string): MessageKey | null {
  if (!report.outTime) return 'ec00013'
  // The CRM also locks reports whose period is over. The period is checked first, because its message is more precise.
  if (!canStillUpdate(report.workingDate, today)) return 'ec00012'
  return isLockedByCrm(report) ? 'ec00008' : null
}

/** Returns the message key of the reason why an exit cannot be registered; null if it can. */
export function exitBlockedBy(report: QuickReportView, today: string): MessageKey | null {
  if (!report.inTime) return 'notEntered'
  if (report.outTime) return 'ec00011'
  return canStillUpdate(report.workingDate, today) ? null : 'ec00012'
}

/** True if the exit is earlier than the entry in whole minutes, which the screens show. Times are ISO 8601. */
export const isBeforeEntry = (outTime: string, inTime: string | null) =>
  inTime !== null && minuteOf(outTime) < minuteOf(inTime)

const minuteOf = (iso: string) => Math.floor(Date.parse(iso) / 60_000)

export function reportText(field: string, value: FieldValue, server: object | undefined): string {
  const isTime = field === 'inTime' || field === 'outTime'
  return isTime && typeof value === 'string' && value !== ''
    ? stampText(value)
    : fieldText(quickReport, field, value, server)
}

/** Returns the content to save. Blank texts, and reasons of another category, become null. */
export function contentOf(input: ReportInput, outTime: string): Omit<QuickReportContent, 'inTime'> {
  const { reason1, reason2, ...others } = contentOfDraft(quickReport, input)
  return {
    outTime,
    ...others,
    reason1: goesWith('reason1', input.type) ? reason1 : null,
    reason2: goesWith('reason2', input.type) ? reason2 : null,
  }
}

/** Returns the draft key with all visits, so that its link reopens all of them; the main visit only if that is too long. */
export function exitDraftKey(keys: readonly string[]): string {
  const all = `quickReport/add/${keys.join('/')}`
  return all.length <= DRAFT_KEY_MAX ? all : `quickReport/add/${keys[0] ?? ''}`
}

/** Returns the ids in `?other=`: comma-separated, unique, without the main id. */
export const otherIds = (other: string | undefined, quickReportId: string): string[] => [
  ...new Set(
    (other ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== '' && id !== quickReportId),
  ),
]

/** Returns the content of an unsent exit or edit, with which the form opens (内容を開く); undefined if there is none. */
export const unsentContent = ({ changes }: QuickReportRecord): QuickReportContent | undefined =>
  effectiveChanges(changes).find(({ kind }) => kind !== 'entry')?.fields

export type Reported = ReturnType<typeof reportedOf>

/** Returns the reports for the ids of the URL, without duplicates. @param found in the order of `ids` */
export function reportedOf(ids: readonly string[], found: readonly (ReportedVisit | null)[]) {
  const [main = null, ...others] = found
  const known = others.filter((each) => each !== null)
  // The URL may name a report twice: by the CRM's id and by the local key.
  const isFirst = ({ record: { key } }: ReportedVisit, at: number) =>
    key !== main?.record.key && known.findIndex(({ record }) => record.key === key) === at
  return {
    /** The report in the URL's path; null if the device does not have the report. */
    main,
    others: known.filter(isFirst),
    /** Ids in `?other=` for which the device has no report. */
    missing: ids.slice(1).filter((_, index) => others[index] === null),
  }
}

/** Returns the reason why the exit cannot be registered; null if it can; ec00029 if the visits have different reasons. */
export function whyBarred(main: ReportedVisit, others: readonly ReportedVisit[], today: string) {
  const bar = exitBlockedBy(main.report, today)
  const isOne = others.every((other) => exitBlockedBy(other.report, today) === bar && isTogether(main, other))
  return isOne ? bar : 'ec00029'
}

function isTogether(a: ReportedVisit, b: ReportedVisit): boolean {
  if (a.report.workingDate !== b.report.workingDate) return false
  return !a.visit || !b.visit || a.visit.request.locationAreaId === b.visit.request.locationAreaId
}
