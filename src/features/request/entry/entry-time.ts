/** The time of 入館登録: now or a time of a day within the working day's span, never ahead of the clock. */
import { isIsoDate, isoAt, timeText, tokyoToday, toTokyoIso } from '#lib/time/tokyo-time.ts'
import { daysBegun, placeInSpan } from '#lib/time/working-day.ts'

export type EntryMode = 'now' | 'given'

export interface EntryTimeInput {
  mode: EntryMode
  /** YYYY-MM-DD, with mode given: the working day or one beside it */
  date: string
  /** HH:mm, with mode given */
  time: string
}

type EntryTime =
  | { kind: 'ok'; inTime: string }
  | { kind: 'required' }
  | { kind: 'future' }
  /** Not within the working day's span. */
  | { kind: 'outside' }

/** 現在時刻 belongs to the working day's span only. */
export const mayUseNow = (workingDate: string, nowMs: number) => placeInSpan(workingDate, nowMs) === 'within'

/** 現在時刻 no longer counts once the span has ended under an open form. */
export const modeNow = (mode: EntryMode, workingDate: string, nowMs: number): EntryMode =>
  mayUseNow(workingDate, nowMs) ? mode : 'given'

/** The span has not begun: no time could be given. */
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

/** What the form starts with: now, where that is of the span; a day past asks for its time. */
export const startOfEntry = (workingDate: string, nowMs: number): EntryTimeInput =>
  mayUseNow(workingDate, nowMs)
    ? { mode: 'now', date: tokyoToday(nowMs), time: timeText(toTokyoIso(nowMs)) }
    : { mode: 'given', date: workingDate, time: '' }

/** The days that 入館日 offers, earliest first, and what each is to the working day. */
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
