/**
 * 前回からの引き継ぎ: from what the device has of a machine to the lines that the next person reads first.
 *
 *     urgent    the newest 緊急報告 that is open, or of the last 90 days        always first
 *     report    the newest past report of the machine                        ┐
 *     exit      the newest exit of one's own at the machine                   ├ newest first
 *     note      the newest 現場メモ of the place, since that report or exit      ┘
 *
 * At most three lines: the oldest of the last three gives room to an 緊急報告. Nothing after the visit's own day counts.
 */
import type { SendState } from '#schemas/changes/change-queue.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { addDays } from '#lib/time/tokyo-time.ts'

export const HANDOVER_LINES_MAX = 3
/** An 緊急報告 of a past report says nothing of its end: it counts for so long. */
export const RECENT_EMERGENCY_DAYS = 90

/** An 緊急報告 of the request, saved on an earlier day. */
export interface EmergencyFact {
  day: string
  contents: string
  details: string
  /** The CRM has not taken it over yet. */
  isOpen: boolean
}

/** An exit of one's own, of another visit. */
export interface ExitFact {
  id: string
  day: string
  /** Milliseconds since 1970. */
  at: number
  category: string
  /** '' where the category has none, null where it was not read. */
  reason: string | null
  unsent: SendState | null
}

export interface NoteFact {
  id: string
  day: string
  /** Milliseconds since 1970. */
  at: number
  /** 1 依頼, 2 現場: which list shows it. */
  type: string
  note: string
  unsent: SendState | null
}

/** What the device has of one machine. */
export interface MachineFacts {
  /** The visit's working day. */
  day: string
  reports: readonly PastReportRecord[]
  emergencies: readonly EmergencyFact[]
  exits: readonly ExitFact[]
  notes: readonly NoteFact[]
}

/** One line, and what its source is known by. */
export type HandoverLine =
  | ({ kind: 'emergency'; popup: string | null } & Omit<EmergencyFact, 'isOpen'>)
  | { kind: 'report'; day: string; category: string | null; comment: string | null }
  | ({ kind: 'exit' } & Omit<ExitFact, 'at'>)
  | ({ kind: 'note' } & Omit<NoteFact, 'at'>)

/** The lines of one machine, most pressing first. */
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
    // a stable order: of one day the note comes before the exit, the exit before the report
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

/** The one with the greatest key, whatever the order they come in. */
const newest = <T>(all: readonly T[], keyOf: (each: T) => string): T | undefined =>
  all.reduce<T | undefined>((best, each) => (best && keyOf(best) >= keyOf(each) ? best : each), undefined)
