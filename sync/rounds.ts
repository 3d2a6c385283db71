/**
 * How much of the window a round reads (RULES PL5, decision 0039): pure decisions. Every round reads the rows of today and
 * tomorrow, which is a page; the whole window is read at the start, when the user asks, on a new day, and every half hour.
 */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import { tokyoDay } from './tokyo-day.ts'

/** In sight, a round begins so often. */
export const ROUND_EVERY_MS = 5 * 60_000
/** The sixth round at the latest: a minute less, for timers are late by a little. */
export const WINDOW_EVERY_MS = 29 * 60_000

export type Range = 'near' | 'window'

/** When the whole window was last read to its end; null where that was not yet. */
export type WindowRead = number | null

/** @param waiting what an earlier trigger asked for and was not begun yet @param asked by the user */
export function nextRange(read: WindowRead, now: number, asked: boolean, waiting: Range | null): Range {
  if (asked || waiting === 'window' || read === null) return 'window'
  // a clock set back says nothing
  const isOld = now < read || now - read >= WINDOW_EVERY_MS
  return isOld || tokyoDay(read) !== tokyoDay(now) ? 'window' : 'near'
}

export const rangeDays = (range: Range, now: number) =>
  range === 'near'
    ? { from: tokyoDay(now), to: tokyoDay(now, 1) }
    : { from: tokyoDay(now, -WINDOW_DAYS_BACK), to: tokyoDay(now, WINDOW_DAYS_AHEAD) }
