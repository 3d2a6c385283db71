/**
 * The pace of reads that nobody waits for, as a token bucket (RULES PL10). Reads that only confirm local data
 * begin at a rate of one per four seconds, at most four at once, and only while the app is visible. After a
 * start, and after the signal or the CRM returned, they pause for a random time, so that ten thousand devices
 * that wake in one minute do not all read in one second.
 */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import { READS_AT_ONCE } from '#schemas/limits.ts'

export const PACE_EVERY_MS = 4_000
/** Longest pause after a start. */
export const PACE_START_MS = 120_000
/** Longest pause after the signal or the CRM returned. */
export const PACE_PAUSE_MS = 240_000

export interface Pace {
  /** Number of calls that may begin at `at`. */
  tokens: number
  /** Time of the last refill, ms on the caller's clock; in the future during a pause. */
  at: number
}

/**
 * The pace after a start.
 * @param random 0 ≤ random < 1
 * @param maxPauseMs the longest pause
 */
export const startPace = (now: number, random: number, maxPauseMs = PACE_START_MS): Pace => ({
  tokens: 0,
  at: now + Math.round(random * maxPauseMs),
})

interface Grant {
  pace: Pace
  granted: number
  /** When to request the rest, ms on the caller's clock; null if all calls were granted. */
  nextAt: number | null
}

/**
 * Grants as many of the `requested` calls as may begin now. The rest is granted together later, as many as may
 * begin at once, so that the radio is not woken for each.
 */
export function takeTokens({ tokens, at }: Pace, now: number, requested: number): Grant {
  const refilled = Math.max(0, Math.floor((now - at) / PACE_EVERY_MS))
  const isFull = tokens + refilled >= READS_AT_ONCE
  const available = Math.min(READS_AT_ONCE, tokens + refilled)
  const refilledAt = isFull && now > at ? now : at + refilled * PACE_EVERY_MS
  const granted = Math.min(requested, available)
  return {
    pace: { tokens: available - granted, at: refilledAt },
    granted,
    nextAt: granted === requested ? null : refilledAt + READS_AT_ONCE * PACE_EVERY_MS,
  }
}

export interface Pacer {
  /** Returns how many of the requested background reads may begin now. `wake$` emits when to call it again. */
  grant(requested: number): number
  /** @param isRequested true while the user waits for a refresh: reads are then not limited */
  hurry(isRequested: boolean): void
  /** Starts a random pause, because the signal or the CRM returned for many devices at once. */
  pause(): void
  /** Start of the current pause, ISO 8601; '' if there is none. */
  pausedSince(): string
  wake$: Observable<unknown>
}

interface PacerParts {
  visible$: Observable<boolean>
  stop$: Observable<unknown>
  random: () => number
  /** Epoch ms. */
  now: () => number
}

/** Creates the pace of one device, which all pulls share. */
export function createPacer({ visible$, stop$, random, now }: PacerParts): Pacer {
  let pace: Pace = startPace(performance.now(), random())
  let pausedAt = ''
  let isUnlimited = false
  let visible = true
  /** Nothing is granted until this time; then `wake$` emits. */
  let waitsUntil = 0
  const wait$ = new Subject<number>()
  const waitUntil = (at: number) => {
    waitsUntil = at
    // A timer may fire slightly early.
    wait$.next(Math.max(0, Math.ceil(at - performance.now()) + 1))
  }
  visible$.pipe(takeUntil(stop$)).subscribe((is) => (visible = is))
  return {
    grant(requested) {
      if (isUnlimited || requested === 0) return requested
      // When the app becomes visible, a round starts and calls this again.
      if (!visible) return 0
      const at = performance.now()
      if (at < waitsUntil) return 0
      const result = takeTokens(pace, at, requested)
      pace = result.pace
      if (result.nextAt !== null) waitUntil(result.nextAt)
      return result.granted
    },
    hurry: (isRequested) => (isUnlimited = isRequested),
    pause() {
      pace = startPace(performance.now(), random(), PACE_PAUSE_MS)
      pausedAt = new Date(now()).toISOString()
      waitUntil(pace.at)
    },
    pausedSince: () => (performance.now() < pace.at ? pausedAt : ''),
    wake$: wait$.pipe(
      switchMap((ms) => timer(ms)),
      takeUntil(stop$),
    ),
  }
}
