/**
 * Rules of the screen lock: when a screen that nobody uses is locked, and how long the user must wait after wrong
 * passwords. Times are epoch ms of the device's clock. They are stored on disk, so that neither a reload nor a clock
 * that is set back shortens a wait.
 */
import type { LockAfter } from '#lib/browser/screen-lock.ts'

const MINUTE_MS = 60_000
/** The delay `0` in ms. A reload or a change of tabs takes less, so it does not lock the screen. */
const AT_ONCE_MS = 2_500
/** Largest step back of an automatic clock correction. A larger step was made by a person and locks the screen. */
const CORRECTED_MS = 2_000

export const lockAfterMs = (after: Exclude<LockAfter, 'off'>): number =>
  Math.max(Number(after) * MINUTE_MS, AT_ONCE_MS)

/** Interval in ms at which a visible page stores that it is visible. */
export const notedEveryMs = (after: LockAfter): number => (after === '0' ? 1_000 : 30_000)

/** True if the screen must be locked. @param lastVisible time at which the app was last visible; null if unknown */
export const isDue = (after: LockAfter, lastVisible: number | null, now: number): boolean =>
  after !== 'off' &&
  (lastVisible === null || now - lastVisible >= lockAfterMs(after) || now < lastVisible - CORRECTED_MS)

export interface Tries {
  count: number
  at: number
}

const FREE_TRIES = 5
const WAITS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS)

/** @returns milliseconds until the next try is allowed; 0 if it is allowed now */
export function waitOf({ count, at }: Tries, now: number): number {
  if (count < FREE_TRIES) return 0
  const wait = WAITS_MS[Math.min(count - FREE_TRIES, WAITS_MS.length - 1)] ?? 0
  return now < at ? wait : Math.max(0, at + wait - now)
}
