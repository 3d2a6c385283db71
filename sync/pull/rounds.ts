/**
 * How much of the window a round reads (RULES PL5, decision 0039): pure decisions. Every round reads the rows of today and
 * tomorrow, which is a page; the whole window is read at the start, when the user asks, on a new day, and every half hour.
 */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import { tokyoDay } from '../runtime/tokyo-day.ts'

/** In sight, a round begins so often. */
export const ROUND_EVERY_MS = 5 * 60_000
/** The sixth round at the latest: a minute less, for timers are late by a little. */
export const WINDOW_EVERY_MS = 29 * 60_000

export type Range = 'near' | 'window'

/** Why there is a round: the user asks; the signal or the CRM came back; a start, a look at the app, five minutes. */
export type Cause = 'asked' | 'back' | 'usual'

/** When the whole window was last read to its end; null where that was not yet. */
export type WindowRead = number | null

/** One round serves all who wait for one: the most demanding decides. */
export const joined = (waiting: Cause | null, cause: Cause): Cause =>
  waiting === 'asked' || waiting === null ? (waiting ?? cause) : cause === 'usual' ? waiting : cause

/** While the CRM does not answer, rounds come due on all devices: once it does, the one that follows is enough. */
export const afterOutage = (waiting: Cause | null, read: WindowRead): Cause | null =>
  waiting === 'usual' && read !== null ? null : waiting

/** After coming back only what is near: the window has its turn within five minutes, on each device at another time. */
export function rangeOf(cause: Cause, read: WindowRead, now: number): Range {
  if (cause === 'asked' || read === null || tokyoDay(read) !== tokyoDay(now)) return 'window'
  // a clock set back says nothing
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld && cause === 'usual' ? 'window' : 'near'
}

export const rangeDays = (range: Range, now: number) =>
  range === 'near'
    ? { from: tokyoDay(now), to: tokyoDay(now, 1) }
    : { from: tokyoDay(now, -WINDOW_DAYS_BACK), to: tokyoDay(now, WINDOW_DAYS_AHEAD) }
