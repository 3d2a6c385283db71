/**
 * How far a working day extends into the adjacent days, because a night shift may begin the evening before or end the
 * morning after:
 *
 *     day before        working day        day after
 *     ------12:00=========================12:00------   the span, both ends included
 *
 * All times are Tokyo time.
 */
import { addDays, isoAt, tokyoDay, tokyoToday } from './tokyo-time.ts'

const NOON = '12:00'

/** The time in which work of a day may be registered. @throws RangeError if `workingDate` is invalid */
export const spanOf = (workingDate: string): { from: string; to: string } => ({
  from: isoAt(addDays(workingDate, -1), NOON),
  to: isoAt(addDays(workingDate, 1), NOON),
})

/** Compares a time with the span of a working day. @param at epoch ms */
export function placeInSpan(workingDate: string, at: number): 'before' | 'within' | 'after' {
  const { from, to } = spanOf(workingDate)
  if (at < Date.parse(from)) return 'before'
  return at > Date.parse(to) ? 'after' : 'within'
}

/** Returns the days of a working day's span that have begun, the earliest first; [] before the span. */
export function daysBegun(workingDate: string, nowMs: number): string[] {
  if (placeInSpan(workingDate, nowMs) === 'before') return []
  const today = tokyoToday(nowMs)
  return [-1, 0, 1].map((days) => addDays(workingDate, days)).filter((day) => day <= today)
}

/** Returns the day whose night shift may not have ended: yesterday until 12:00, null from 12:00. */
export function carriedDay(nowMs: number): string | null {
  const today = tokyoToday(nowMs)
  return nowMs < Date.parse(isoAt(today, NOON)) ? addDays(today, -1) : null
}

/** Returns the planned end of a day's work as epoch ms; without a plan, the end of the day's span. */
export function plannedEnd(workingDate: string, workingEndTime: string | null): number {
  const planned = Date.parse(workingEndTime ?? '')
  return Number.isNaN(planned) ? Date.parse(spanOf(workingDate).to) : planned
}

/** True if a time (ISO 8601) is not on the working day, so that the screen must show its date too. */
export const isOtherDay = (iso: string | null, workingDate: string): boolean => {
  const day = tokyoDay(iso)
  return day !== '' && day !== workingDate
}
