/** The time of 入館登録: now or a time of the working day, never ahead of the clock. */
import { isoAt, timeText, tokyoToday, toTokyoIso } from '#lib/tokyo-time.ts'

export type EntryMode = 'now' | 'given'

export interface EntryTimeInput {
  mode: EntryMode
  /** HH:mm, with mode given */
  time: string
}

export type EntryTime = { kind: 'ok'; inTime: string } | { kind: 'required' } | { kind: 'future' }

/** 現在時刻 belongs to the working day only. */
export const mayUseNow = (workingDate: string, nowMs: number) => tokyoToday(nowMs) === workingDate

/** @param workingDate YYYY-MM-DD */
export function entryTime({ mode, time }: EntryTimeInput, workingDate: string, nowMs: number): EntryTime {
  if (mode === 'now') return { kind: 'ok', inTime: toTokyoIso(nowMs) }
  if (!/^\d{2}:\d{2}$/.test(time)) return { kind: 'required' }
  const inTime = isoAt(workingDate, time)
  return Date.parse(inTime) > nowMs ? { kind: 'future' } : { kind: 'ok', inTime }
}

/** What the form starts with. */
export const startOfEntry = (workingDate: string, nowMs: number): EntryTimeInput => ({
  mode: mayUseNow(workingDate, nowMs) ? 'now' : 'given',
  time: timeText(toTokyoIso(nowMs)),
})
