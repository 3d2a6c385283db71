/**
 * The pace of reads that nobody waits for, as a token bucket (RULES PL10). Reads that only confirm local data
 * go at one per four seconds, at most four at once. After a start, and after the signal or the CRM returned,
 * they pause for a random time, so that ten thousand devices that wake in one minute do not all read in one
 * second.
 */
import { READS_AT_ONCE } from '#schemas/limits.ts'

export const PACE_EVERY_MS = 4_000
/** Longest pause after a start. */
export const PACE_START_MS = 120_000
/** Longest pause after the signal or the CRM returned. */
export const PACE_PAUSE_MS = 240_000

export interface Pace {
  /** Number of calls that may begin at `at`. */
  tokens: number
  /** ms, on the caller's clock; may be in the future. */
  at: number
}

/**
 * The pace after a start.
 * @param random 0 ≤ random < 1
 * @param mostMs the longest pause
 */
export const startPace = (now: number, random: number, mostMs = PACE_START_MS): Pace => ({
  tokens: 0,
  at: now + Math.round(random * mostMs),
})

interface Grant {
  pace: Pace
  granted: number
  /** When to ask again; null if all calls were granted. */
  nextAt: number | null
}

/**
 * Grants as many of the `wanted` calls as may begin now. The rest is granted together later, as many as may
 * begin at once, so that the radio is not woken for each.
 */
export function takeFrom({ tokens, at }: Pace, now: number, wanted: number): Grant {
  const gained = Math.max(0, Math.floor((now - at) / PACE_EVERY_MS))
  const full = tokens + gained >= READS_AT_ONCE
  const have = Math.min(READS_AT_ONCE, tokens + gained)
  const since = full && now > at ? now : at + gained * PACE_EVERY_MS
  const granted = Math.min(wanted, have)
  return {
    pace: { tokens: have - granted, at: since },
    granted,
    nextAt: granted === wanted ? null : since + READS_AT_ONCE * PACE_EVERY_MS,
  }
}
