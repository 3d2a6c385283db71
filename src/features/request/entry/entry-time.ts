/** The time of 入館登録, in the working day's span, which reaches into adjacent days (`lib/time/working-day.ts`). */
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

/** `outside`: the time is not in the working day's span. */
type EntryTime = { kind: 'ok'; inTime: string } | { kind: 'required' | 'future' | 'outside' }

/** True if an entry can be registered for the current time, so that 現在時刻 can be chosen. */
export const mayUseNow = (workingDate: string, nowMs: number) => placeInSpan(workingDate, nowMs) === 'within'

/** Returns the mode that applies now. `now` becomes `given` if the span ends while the form is open. */
export const modeNow = (mode: EntryMode, workingDate: string, nowMs: number): EntryMode =>
  mayUseNow(workingDate, nowMs) ? mode : 'given'

/** True before the working day's span, when no entry is possible. */
export const isTooEarly = (workingDate: string, nowMs: number) => placeInSpan(workingDate, nowMs) === 'before'

/** Returns the time to register, or why the input is invalid. @param workingDate YYYY-MM-DD */
export function entryTime(
  { mode, date, time }: EntryTimeInput,
  workingDate: string,
  nowMs: number,
): EntryTime {
  const isNow = modeNow(mode, workingDate, nowMs) === 'now'
  const inTime = isNow ? toTokyoIso(nowMs) : givenTime(date, time)
  if (inTime === null) return { kind: 'required' }
  const inTimeMs = Date.parse(inTime)
  if (inTimeMs > nowMs) return { kind: 'future' }
  return placeInSpan(workingDate, inTimeMs) === 'within' ? { kind: 'ok', inTime } : { kind: 'outside' }
}

const givenTime = (date: string, time: string) =>
  isIsoDate(date) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? isoAt(date, time) : null

/** Returns the form's initial values: 現在時刻 if it can be chosen, otherwise an empty time. */
export const startOfEntry = (workingDate: string, nowMs: number): EntryTimeInput =>
  mayUseNow(workingDate, nowMs)
    ? { mode: 'now', date: tokyoToday(nowMs), time: timeText(toTokyoIso(nowMs)) }
    : { mode: 'given', date: workingDate, time: '' }

/** Returns the options of 入館日, earliest first, each with its relation to the working day. */
export const entryDays = (workingDate: string, nowMs: number) =>
  daysBegun(workingDate, nowMs).map((date) => {
    const other = date < workingDate ? ('before' as const) : ('after' as const)
    return { date, relation: date === workingDate ? ('working' as const) : other }
  })
