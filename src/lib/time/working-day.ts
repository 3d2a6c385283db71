/**
 * How far a working day reaches into the days beside it. Who comes early for a night shift enters on the evening before;
 * who works through the night leaves on the morning after:
 *
 *     day before        working day        day after
 *     ------12:00=========================12:00------   the span, both ends included
 *
 * All of it by Tokyo's calendar, whatever zone the device is set to.
 */
import { addDays, isoAt, tokyoDay, tokyoToday } from './tokyo-time.ts'

const NOON = '12:00'

/** Date-times, ISO 8601 with +09:00. */
interface Span {
  from: string
  to: string
}

/**
 * When work of a day may be registered.
 * @param workingDate `YYYY-MM-DD`
 * @throws RangeError when it is no date
 */
export const spanOf = (workingDate: string): Span => ({
  from: isoAt(addDays(workingDate, -1), NOON),
  to: isoAt(addDays(workingDate, 1), NOON),
})

/** Where a moment lies: `at` is epoch milliseconds. */
export function placeInSpan(workingDate: string, at: number): 'before' | 'within' | 'after' {
  const { from, to } = spanOf(workingDate)
  if (at < Date.parse(from)) return 'before'
  return at > Date.parse(to) ? 'after' : 'within'
}

/** The days of the span that have begun, earliest first; none where it is too early. */
export function daysBegun(workingDate: string, nowMs: number): string[] {
  if (placeInSpan(workingDate, nowMs) === 'before') return []
  const today = tokyoToday(nowMs)
  return [-1, 0, 1].map((days) => addDays(workingDate, days)).filter((day) => day <= today)
}

/** The working day that the night carries over into today: yesterday, until 12:00; null in the afternoon. */
export function carriedDay(nowMs: number): string | null {
  const today = tokyoToday(nowMs)
  return nowMs < Date.parse(isoAt(today, NOON)) ? addDays(today, -1) : null
}

/** When the planned work of a day is over, in epoch milliseconds; without a plan, when the span is. */
export function plannedEnd(workingDate: string, workingEndTime: string | null): number {
  const planned = Date.parse(workingEndTime ?? '')
  return Number.isNaN(planned) ? Date.parse(spanOf(workingDate).to) : planned
}

/** Whether a moment (ISO 8601) is of another day than the working day: its time alone would mislead. */
export const isOtherDay = (iso: string | null, workingDate: string): boolean => {
  const day = tokyoDay(iso)
  return day !== '' && day !== workingDate
}
