/**
 * Measures how far the device's clock is off, by the `Date` header of the CRM's newest answer. A phone's clock can be
 * wrong by a day, and registered times then follow the CRM's clock:
 *
 *     answer with a Date ─→ reading ─→ after 12 hours, or if the device's clock is set back ─→ unknown: use device time
 */

export interface ClockReading {
  /** Milliseconds by which the CRM's clock is ahead of the device's; negative if it is behind. */
  offMs: number
  at: number
}

const TOLERANCE_MS = 5 * 60_000
/** Lifetime of a reading: after a correction of the device's clock, times are wrong for at most this long. */
const READING_LIFE_MS = 12 * 3_600_000
/** Slower answers are ignored, because their `Date` may come from any moment of the call. */
const CALL_MAX_MS = 60_000
/** `Date` has whole seconds, so the CRM's clock is half a second ahead of it on average. */
const HALF_SECOND_MS = 500

interface DatedAnswer {
  /** The `Date` header (RFC 9110, 6.6.1) as epoch ms; null if it cannot be parsed. */
  date: number | null
  /** True for an answer from a cache, whose `Date` is old. */
  isCached: boolean
  tookMs: number
}

/** Returns the clock difference that an answer shows; null if it shows none. @param now device time, epoch ms */
export function readingOf({ date, isCached, tookMs }: DatedAnswer, now: number): ClockReading | null {
  if (date === null || isCached || tookMs > CALL_MAX_MS) return null
  return { offMs: Math.round(date + HALF_SECOND_MS - (now - tookMs / 2)), at: now }
}

/** Milliseconds to add to the device's clock; 0 if it is right or its error is unknown. @param deviceNow epoch ms */
export function correctionOf(reading: ClockReading | null, deviceNow: number): number {
  if (!reading || Math.abs(reading.offMs) < TOLERANCE_MS) return 0
  const passed = deviceNow - reading.at
  return passed >= 0 && passed <= READING_LIFE_MS ? reading.offMs : 0
}
