/**
 * Measures the difference between the device's clock and the CRM's, from the `Date` header of responses. A phone's
 * clock can be wrong by a day; times registered then use the CRM's clock. Pure, and based on the newest response only:
 *
 *     response with a Date ─→ reading ─→ after 12 hours, or if the device's clock is set back ─→ unknown: use device time
 */

export interface ClockReading {
  /** Milliseconds by which the CRM's clock is ahead of the device's; negative if behind. */
  offMs: number
  /** Time of the reading by the device's clock, epoch ms. */
  at: number
}

/** Smaller differences are ignored. */
const TOLERANCE_MS = 5 * 60_000
/** Lifetime of a reading: a clock that has been corrected meanwhile is miscorrected for at most one shift. */
const READING_LIFE_MS = 12 * 3_600_000
/** Responses that took longer are ignored, because it is unclear when their `Date` was written. */
const CALL_MAX_MS = 60_000
/** `Date` has whole seconds, so on average half a second has passed. */
const HALF_SECOND_MS = 500

interface DatedAnswer {
  /** The `Date` header (RFC 9110, 6.6.1), epoch ms; null if it cannot be parsed. */
  date: number | null
  /** True for a response from a cache, whose `Date` is old. */
  isCached: boolean
  /** Duration by a monotonic clock. */
  tookMs: number
}

/** Returns the clock difference that a new response shows; null if it shows no difference. @param now the device's time */
export function readingOf({ date, isCached, tookMs }: DatedAnswer, now: number): ClockReading | null {
  if (date === null || isCached || tookMs > CALL_MAX_MS) return null
  return { offMs: Math.round(date + HALF_SECOND_MS - (now - tookMs / 2)), at: now }
}

/**
 * Returns the milliseconds to add to the device's clock; 0 if it is right or not known to be wrong.
 * @param deviceNow epoch ms
 */
export function correctionOf(reading: ClockReading | null, deviceNow: number): number {
  if (!reading || Math.abs(reading.offMs) < TOLERANCE_MS) return 0
  const passed = deviceNow - reading.at
  return passed >= 0 && passed <= READING_LIFE_MS ? reading.offMs : 0
}
