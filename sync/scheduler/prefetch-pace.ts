/**
 * The pace of what nobody waits for (RULES PL10): a token bucket as a value. What is on the device and is only to be
 * confirmed goes one read in four seconds, four at once at most, and not at all for a while after a start, or after the signal
 * or the CRM came back, whose length is left to chance: ten thousand devices that wake in one minute do not ask in one second.
 */
import { READS_AT_ONCE } from '#schemas/limits.ts'

export const PACE_EVERY_MS = 4_000
/** The longest wait after a start. */
export const PACE_START_MS = 120_000
/** The longest pause after the signal or the CRM came back. */
export const PACE_PAUSE_MS = 240_000

export interface Pace {
  /** Calls that may leave at `at`. */
  tokens: number
  /** ms, on the clock of the caller; may lie ahead. */
  at: number
}

/** @param random 0 ≤ random < 1 @param mostMs the longest wait */
export const startPace = (now: number, random: number, mostMs = PACE_START_MS): Pace => ({
  tokens: 0,
  at: now + Math.round(random * mostMs),
})

interface Grant {
  pace: Pace
  granted: number
  /** When there is to be asked again; null where all was granted. */
  nextAt: number | null
}

/**
 * Of `wanted` calls as many as may leave now. Those that do not are asked for together, as
 * many as may leave at once, so that a radio is not woken for each.
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
