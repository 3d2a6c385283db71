/**
 * When a screen that was left is locked, and how long somebody waits who does not know the password. Times are epoch ms of
 * the device's clock, as they are kept on disk: a reload changes nothing, and a clock that was set back shortens nothing.
 */
import type { LockAfter } from '#lib/browser/screen-lock.ts'

const MINUTE_MS = 60_000
/** No lock comes sooner: a change from one tab to another, or a reload, is no absence. */
const AT_ONCE_MS = 2_500
/** A device corrects its clock by up to this much; one that went back further was set by somebody. */
const CORRECTED_MS = 2_000

export const lockAfterMs = (after: Exclude<LockAfter, 'off'>): number =>
  Math.max(Number(after) * MINUTE_MS, AT_ONCE_MS)

/** How often it is noted that the app is in sight; another window that is opened beside it reads that. */
export const notedEveryMs = (after: LockAfter): number => (after === '0' ? 1_000 : 30_000)

/** @param seen when the app was last in sight; null: nobody knows */
export const isDue = (after: LockAfter, seen: number | null, now: number): boolean =>
  after !== 'off' && (seen === null || now - seen >= lockAfterMs(after) || now < seen - CORRECTED_MS)

/** Wrong ones in a row. */
export interface Tries {
  count: number
  /** When the last one was made. */
  at: number
}

const FREE_TRIES = 5
const WAITS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS)

/** @returns milliseconds until the next try; 0: now */
export function waitOf({ count, at }: Tries, now: number): number {
  if (count < FREE_TRIES) return 0
  const wait = WAITS_MS[Math.min(count - FREE_TRIES, WAITS_MS.length - 1)] ?? 0
  return now < at ? wait : Math.max(0, at + wait - now)
}
