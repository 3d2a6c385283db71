/** The time of 入館登録: now, or a time within the working day's span that is not in the future. */
import { isIsoDate, isoAt, timeText, tokyoToday, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { daysBegun, placeInSpan } from '#lib/time/working-day.ts'

export type EntryMode = 'now' | 'given'

export interface EntryTimeInput {
  mode: EntryMode
  /** YYYY-MM-DD, for mode `given`: the working day or an adjacent one. */
  date: string
  /** HH:mm, for mode `given`. */
  time: string
}

type EntryTime =
  | { kind: 'ok'; inTime: string }
  | { kind: 'required' }
  | { kind: 'future' }
  /** Outside the working day's span. */
  | { kind: 'outside' }

/** True if 現在時刻 is within the working day's span. */
export const mayUseNow = (workingDate: string, nowMs: number) => placeInSpan(workingDate, nowMs) === 'within'

/** Returns the effective mode: 現在時刻 is dropped when the span ends while the form is open. */
export const modeNow = (mode: EntryMode, workingDate: string, nowMs: number): EntryMode =>
  mayUseNow(workingDate, nowMs) ? mode : 'given'

/** True if the span has not begun, so that no time is possible. */
export const isTooEarly = (workingDate: string, nowMs: number) => placeInSpan(workingDate, nowMs) === 'before'

/** @param workingDate YYYY-MM-DD */
export function entryTime(
  { mode, date, time }: EntryTimeInput,
  workingDate: string,
  nowMs: number,
): EntryTime {
  const isNow = modeNow(mode, workingDate, nowMs) === 'now'
  const inTime = isNow ? toTokyoIso(nowMs) : givenTime(date, time)
  if (inTime === null) return { kind: 'required' }
  const at = Date.parse(inTime)
  if (at > nowMs) return { kind: 'future' }
  return placeInSpan(workingDate, at) === 'within' ? { kind: 'ok', inTime } : { kind: 'outside' }
}

const givenTime = (date: string, time: string) =>
  isIsoDate(date) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? isoAt(date, time) : null

/** Returns the initial values: now if within the span, otherwise a time to be typed. */
export const startOfEntry = (workingDate: string, nowMs: number): EntryTimeInput =>
  mayUseNow(workingDate, nowMs)
    ? { mode: 'now', date: tokyoToday(nowMs), time: timeText(toTokyoIso(nowMs)) }
    : { mode: 'given', date: workingDate, time: '' }

/** Returns the days for 入館日, earliest first, each with its relation to the working day. */
export const entryDays = (workingDate: string, nowMs: number) =>
  daysBegun(workingDate, nowMs).map((date) => ({
    date,
    is:
      date === workingDate
        ? ('working' as const)
        : date < workingDate
          ? ('before' as const)
          : ('after' as const),
  }))
