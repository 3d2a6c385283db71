/** The rules of 退館報告 (spec 4, 5): what belongs to which category, what is required, until when it may change. */
import { effectiveChanges } from '#schemas/change-queue.ts'
import { QuickReportType } from '#schemas/codes.ts'
import { DRAFT_KEY_MAX, QUICK_REPORT_UPDATE_DAYS } from '#schemas/limits.ts'
import type { InputOf } from '#schemas/declare.ts'
import { contentOfDraft, fieldText, isAskedFor } from '#schemas/form-values.ts'
import {
  goesWith,
  quickReport,
  type QuickReportContent,
  type QuickReportRecord,
} from '#schemas/quick-report.ts'
import type { FieldValue } from '#schemas/change-history.ts'
import { daysBetween, stampText } from '#lib/time/tokyo-time.ts'
import { isTaken } from '#data/counting.ts'
import type { QuickReportView } from '#data/quick-report-view.ts'

/** The form as it is typed: '' is nothing chosen yet. */
export type ReportInput = InputOf<typeof quickReport>

const { completed, incomplete, cancelled } = QuickReportType.code

const MINUTE_MS = 60_000

const { reason1: ofReason1, reason2: ofReason2, reportContent: ofContent } = quickReport.fields

export const needsReason1 = (input: Pick<ReportInput, 'type'>) => isAskedFor(ofReason1, input)
export const needsReason2 = (input: Pick<ReportInput, 'type'>) => isAskedFor(ofReason2, input)
export const needsContent = (input: Pick<ReportInput, 'type' | 'reason2'>) => isAskedFor(ofContent, input)

/** The reasons that stay when the work category becomes `type`. */
export function reasonsAfter(
  type: string,
  { reason1, reason2 }: Pick<ReportInput, 'reason1' | 'reason2'>,
): Pick<ReportInput, 'reason1' | 'reason2'> {
  switch (type) {
    case completed:
      return { reason1: '', reason2: '' }
    case incomplete:
      return { reason1, reason2: '' }
    case cancelled:
      return { reason1: '', reason2 }
    default:
      return { reason1, reason2 }
  }
}

/** Whether a report may still change: within 7 days of the working day, the last one included (ec00012). */
export const isUpdateOpen = (workingDate: string, today: string) =>
  daysBetween(workingDate, today) <= QUICK_REPORT_UPDATE_DAYS

/** Why a report cannot be edited, as the message says it; null when it can. */
export function editBar(report: QuickReportView, today: string): 'ec00008' | 'ec00012' | 'ec00013' | null {
  if (!report.outTime) return 'ec00013'
  // the CRM calls what is too old NG as well: the days say why
  if (!isUpdateOpen(report.workingDate, today)) return 'ec00012'
  return isTaken(report) ? 'ec00008' : null
}

/** Why an exit cannot be registered, as the message says it; null when it can. */
export function exitBar(report: QuickReportView, today: string): 'ec00011' | 'ec00012' | 'notEntered' | null {
  if (!report.inTime) return 'notEntered'
  if (report.outTime) return 'ec00011'
  return isUpdateOpen(report.workingDate, today) ? null : 'ec00012'
}

/** Whether an exit at this time, of whole minutes as they are shown, would come before the entry. Times are ISO 8601. */
export const isBeforeEntry = (outTime: string, inTime: string | null) =>
  inTime !== null && wholeMinute(outTime) < wholeMinute(inTime)

const wholeMinute = (iso: string) => Math.floor(Date.parse(iso) / MINUTE_MS)

/** A field of a report in words. */
export function reportText(field: string, value: FieldValue, server: object | undefined): string {
  const isTime = field === 'inTime' || field === 'outTime'
  return isTime && typeof value === 'string' && value !== ''
    ? stampText(value)
    : fieldText(quickReport, field, value, server)
}

/** What is saved: texts that say nothing become null. */
export function contentOf(input: ReportInput, outTime: string): Omit<QuickReportContent, 'inTime'> {
  const { reason1, reason2, ...others } = contentOfDraft(quickReport, input)
  return {
    outTime,
    ...others,
    reason1: goesWith('reason1', input.type) ? reason1 : null,
    reason2: goesWith('reason2', input.type) ? reason2 : null,
  }
}

/**
 * The key of the draft of 退館報告登録: the visit it is about, then those that are registered with it, so that the way back
 * leads to all of them. Where so many are together that no key holds them, the first alone.
 * @param keys of the records, the main one first
 */
export function exitDraftKey(keys: readonly string[]): string {
  const all = `quickReport/add/${keys.join('/')}`
  return all.length <= DRAFT_KEY_MAX ? all : `quickReport/add/${keys[0] ?? ''}`
}

/** The ids in `?other=`: comma-separated, each once, without the one the screen is about. */
export const otherIds = (other: string | undefined, quickReportId: string): string[] => [
  ...new Set(
    (other ?? '')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== '' && id !== quickReportId),
  ),
]

/**
 * What was saved here last and has not reached the CRM: a form opens with it, so that what was refused or expired can be
 * corrected (内容を開く) instead of written again. Its exit time is the one of that save.
 */
export const unsentContent = ({ changes }: QuickReportRecord): QuickReportContent | undefined =>
  effectiveChanges(changes).find(({ kind }) => kind !== 'entry')?.fields
