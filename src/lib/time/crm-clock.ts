/**
 * How far this device's clock is from the CRM's, by the `Date` of its answers. A person or a dead battery may set a phone a
 * day off: times that are registered then are the CRM's. A pure value, and only of the newest answer:
 *
 *     answer with a Date ─→ reading ─→ 12 hours, or the device's clock set back before it ─→ not known: the device's time
 */

export interface ClockReading {
  /** Milliseconds that the CRM's clock is ahead of the device's; negative where it is behind. */
  offMs: number
  /** When it was read, epoch milliseconds by the device's clock. */
  at: number
}

/** Less than this no clock needs to be right. */
const TOLERANCE_MS = 5 * 60_000
/** A clock that was set right meanwhile must not be corrected for longer than a shift. */
const READING_LIFE_MS = 12 * 3_600_000
/** An answer that took longer says too little about when its `Date` was written. */
const CALL_MAX_MS = 60_000
/** A `Date` has whole seconds: on average half of one has passed. */
const HALF_SECOND_MS = 500

interface DatedAnswer {
  /** The header `Date` (RFC 9110, 6.6.1), epoch milliseconds; null where it cannot be read. */
  date: number | null
  /** It comes from a cache, and its `Date` is old. */
  isCached: boolean
  /** By a clock that nobody sets. */
  tookMs: number
}

/** What an answer that has just come says of the clocks; null where it says nothing. @param now by the device's clock */
export function readingOf({ date, isCached, tookMs }: DatedAnswer, now: number): ClockReading | null {
  if (date === null || isCached || tookMs > CALL_MAX_MS) return null
  return { offMs: Math.round(date + HALF_SECOND_MS - (now - tookMs / 2)), at: now }
}

/**
 * What to add to the device's clock, in milliseconds; 0 where it is right, or not known to be wrong.
 * @param deviceNow epoch milliseconds
 */
export function correctionOf(reading: ClockReading | null, deviceNow: number): number {
  if (!reading || Math.abs(reading.offMs) < TOLERANCE_MS) return 0
  const passed = deviceNow - reading.at
  return passed >= 0 && passed <= READING_LIFE_MS ? reading.offMs : 0
}
