/**
 * 前回からの引き継ぎ: chooses the lines about a machine that the person at the next visit reads first. Pure.
 *
 *     emergency  the newest 緊急報告 that is open, or not older than 90 days    always first
 *     report     the newest past report of the machine                        ┐
 *     exit       the user's own newest 退館報告 at the machine                  ├ newest first
 *     note       the newest 現場メモ of the place since that report or exit      ┘
 *
 * There are at most three lines: with an 緊急報告, the oldest of the other three is omitted. Records of days after the
 * visit do not count.
 */
import type { SendState } from '#schemas/changes/change-queue.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { addDays } from '#lib/time/tokyo-time.ts'

export const HANDOVER_LINES_MAX = 3
/** How long an 緊急報告 in a past report counts: such a report does not say whether the emergency is over. */
export const RECENT_EMERGENCY_DAYS = 90

/** An 緊急報告 of the request, saved on an earlier day. */
export interface EmergencyFact {
  day: string
  contents: string
  details: string
  /** True while the office has not processed it: the CRM has not locked it yet. */
  isOpen: boolean
}

/** An exit report (退館報告) of the user's own, from another visit. */
export interface ExitFact {
  id: string
  day: string
  /** Epoch ms. */
  at: number
  category: string
  /** '' if the category has no reason; null if the reason was not read yet. */
  reason: string | null
  unsent: SendState | null
}

export interface NoteFact {
  id: string
  day: string
  /** Epoch ms. */
  at: number
  /** The list that shows it: 1 依頼, 2 現場. */
  type: string
  note: string
  unsent: SendState | null
}

/** Everything on this device that a line about one machine may come from. */
export interface MachineFacts {
  /** The visit's working day. */
  day: string
  reports: readonly PastReportRecord[]
  emergencies: readonly EmergencyFact[]
  exits: readonly ExitFact[]
  notes: readonly NoteFact[]
}

/** One line, with the ids that its link needs. */
export type HandoverLine =
  | ({ kind: 'emergency'; popup: string | null } & Omit<EmergencyFact, 'isOpen'>)
  | { kind: 'report'; day: string; category: string | null; comment: string | null }
  | ({ kind: 'exit' } & Omit<ExitFact, 'at'>)
  | ({ kind: 'note' } & Omit<NoteFact, 'at'>)

/** The lines about one machine, the most important first. */
export function handoverLines(facts: MachineFacts): HandoverLine[] {
  const until = { ...facts, reports: facts.reports.filter(({ workingDate }) => workingDate <= facts.day) }
  const emergency = newestEmergency(until)
  const report = newest(until.reports, ({ workingDate, workingStartTime, id }) =>
    [workingDate, workingStartTime, id].join(' '),
  )
  const exit = newest(
    facts.exits.filter(({ day }) => day <= facts.day),
    byTime,
  )
  const last = [report?.workingDate ?? '', exit?.day ?? ''].toSorted().at(-1) ?? ''
  const note = newest(
    facts.notes.filter(({ day }) => day >= last && day <= facts.day),
    byTime,
  )
  const others = [note && noteLine(note), exit && exitLine(exit), report && reportLine(report)]
    .filter((line) => line !== undefined)
    // The sort is stable: on the same day the note stays before the exit, and the exit before the report.
    .toSorted((a, b) => (a.day === b.day ? 0 : a.day > b.day ? -1 : 1))
  return [emergency ?? [], others].flat().slice(0, HANDOVER_LINES_MAX)
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
    .map(({ day: on, contents, details }) => ({ day: on, contents, details, popup: null }))
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
const exitLine = ({ id, day, category, reason, unsent }: ExitFact): HandoverLine => ({
  kind: 'exit',
  id,
  day,
  category,
  reason,
  unsent,
})
const noteLine = ({ id, day, type, note, unsent }: NoteFact): HandoverLine => ({
  kind: 'note',
  id,
  day,
  type,
  note,
  unsent,
})

const byTime = ({ at, id }: { at: number; id: string }) => `${String(at).padStart(16, '0')} ${id}`

/** The item with the greatest key; undefined if there is none. */
const newest = <T>(all: readonly T[], keyOf: (each: T) => string): T | undefined =>
  all.reduce<T | undefined>((best, each) => (best && keyOf(best) >= keyOf(each) ? best : each), undefined)
