/**
 * 前回からの引き継ぎ: chooses the records about a machine that the user should read before the visit. Pure.
 *
 *     emergency  the newest 緊急報告 that the office has not processed or that is at most 90 days old    always first
 *     report     the newest past report of the machine                                         ┐
 *     exit       the user's own newest 退館報告 at the machine                                 ├ newest first
 *     note       the newest 現場メモ of the place, unless `report` or `exit` is of a later day ┘
 *
 * There are at most three lines: with an 緊急報告, the oldest of the other three is omitted. Records of days after the
 * visit are ignored.
 */
import type { SendState } from '#schemas/changes/change-queue.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { addDays } from '#lib/time/tokyo-time.ts'

export const HANDOVER_LINES_MAX = 3
/** Maximum age in days of an 緊急報告, unless the office is known not to have processed it. A past report does not say. */
export const RECENT_EMERGENCY_DAYS = 90

export interface EmergencyFact {
  day: string
  contents: string
  details: string
  /** True until the office has processed the report, which the CRM then locks. */
  isOpen: boolean
}

interface OwnFact {
  id: string
  day: string
  /** Epoch ms. */
  at: number
  unsent: SendState | null
}

/** The user's own 退館報告 of another visit. */
export interface ExitFact extends OwnFact {
  category: string
  /** The reason for the work category. '' if this category has none; null if the device has not read it yet. */
  reason: string | null
}

/** `type`: code of `NoteType`, which decides the list that shows the note: 1 依頼, 2 現場. */
export type NoteFact = OwnFact & { type: string; note: string }

export interface MachineFacts {
  day: string
  reports: readonly PastReportRecord[]
  emergencies: readonly EmergencyFact[]
  exits: readonly ExitFact[]
  notes: readonly NoteFact[]
}

/** `popup` is the popup of 過去報告 that shows the 緊急報告; null if the screen 緊急報告一覧 shows it. */
export type HandoverLine =
  | ({ kind: 'emergency'; popup: string | null } & Omit<EmergencyFact, 'isOpen'>)
  | { kind: 'report'; day: string; category: string | null; comment: string | null }
  | ({ kind: 'exit' } & ExitFact)
  | ({ kind: 'note' } & NoteFact)

/** Returns the lines about one machine, the most important first. */
export function handoverLines(facts: MachineFacts): HandoverLine[] {
  const reports = facts.reports.filter(({ workingDate }) => workingDate <= facts.day)
  const emergency = newestEmergency({ ...facts, reports })
  const report = newest(reports, ({ workingDate, workingStartTime, id }) =>
    [workingDate, workingStartTime, id].join(' '),
  )
  const upToVisit = ({ day }: { day: string }) => day <= facts.day
  const exit = newest(facts.exits.filter(upToVisit), byTime)
  const isLatest = ({ day }: NoteFact) => day >= (report?.workingDate ?? '') && day >= (exit?.day ?? '')
  const note = newest(facts.notes.filter(upToVisit).filter(isLatest), byTime)
  const others: HandoverLine[] = [
    ...(note ? [{ kind: 'note' as const, ...note }] : []),
    ...(exit ? [{ kind: 'exit' as const, ...exit }] : []),
    ...(report ? [reportLine(report)] : []),
  ]
  const newestFirst = others.toSorted((a, b) => (a.day === b.day ? 0 : a.day > b.day ? -1 : 1))
  return [...(emergency ? [emergency] : []), ...newestFirst].slice(0, HANDOVER_LINES_MAX)
}

function newestEmergency({ day, reports, emergencies }: MachineFacts): HandoverLine | undefined {
  const since = addDays(day, -RECENT_EMERGENCY_DAYS)
  const reported = reports.flatMap(({ id, workingDate, emergencyReports }) =>
    emergencyReports.map((item, index) => ({
      day: workingDate,
      contents: item.emergencyContentsName ?? '',
      details: item.emergencyContentsDetails ?? '',
      popup: `emergency-${id}-${index + 1}`,
    })),
  )
  const own = emergencies
    .filter((each) => each.day < day && (each.isOpen || each.day >= since))
    .map((each) => ({ day: each.day, contents: each.contents, details: each.details, popup: null }))
  const found = newest([...own, ...reported.filter((each) => each.day >= since)], (each) =>
    [each.day, each.popup ?? '', each.details].join(' '),
  )
  return found && { kind: 'emergency', ...found }
}

const reportLine = (report: PastReportRecord): HandoverLine => ({
  kind: 'report',
  day: report.workingDate,
  category: report.reportCatName,
  comment: report.specialComment,
})
const byTime = ({ at, id }: { at: number; id: string }) => `${String(at).padStart(16, '0')} ${id}`

const newest = <T>(all: readonly T[], keyOf: (each: T) => string): T | undefined =>
  all.reduce<T | undefined>((best, each) => (best && keyOf(best) >= keyOf(each) ? best : each), undefined)
