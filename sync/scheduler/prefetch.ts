/**
 * Limits the rate of reads that nobody waits for, by a token bucket (RULES PL10). Reads that only confirm local data
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

/** The token bucket. */
export interface Pace {
  /** Number of reads that may begin now. */
  tokens: number
  /** Time of the last refill, ms on the caller's clock; during a pause, the end of the pause. */
  at: number
}

/**
 * The token bucket at the beginning of a pause.
 * @param random 0 ≤ random < 1
 * @param maxPauseMs the longest pause
 */
export const startPace = (now: number, random: number, maxPauseMs = PACE_START_MS): Pace => ({
  tokens: 0,
  at: now + Math.round(random * maxPauseMs),
})

/**
 * Grants as many of the `requested` reads as may begin now. The others are granted together later, as many as may
 * begin at once, so that the phone's radio does not wake for each.
 * @returns `nextAt`: when to request the others, ms on the caller's clock; null if all were granted
 */
export function takeTokens({ tokens, at }: Pace, now: number, requested: number) {
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
  /** Returns how many of the requested background reads may begin now. `wake$` emits when more may begin. */
  grant(requested: number): number
  /** Switches the limit off or on. @param isRequested true while the user waits for a refresh: there is no limit */
  hurry(isRequested: boolean): void
  /** Starts a random pause, because the signal or the CRM returned for many devices at once. */
  pause(): void
  /** When the current pause after an outage began, ISO 8601; '' if there is no such pause. */
  pauseStartedAt(): string
  wake$: Observable<unknown>
}

interface PacerParts {
  visible$: Observable<boolean>
  stop$: Observable<unknown>
  random: () => number
  /** Epoch ms. */
  now: () => number
}

/** Creates the rate limit of one device, which all pulls share. */
export function createPacer({ visible$, stop$, random, now }: PacerParts): Pacer {
  let pace: Pace = startPace(performance.now(), random())
  let pausedAt = ''
  let isUnlimited = false
  let visible = true
  /** No read is granted before this time; then `wake$` emits. */
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
      const time = performance.now()
      if (time < waitsUntil) return 0
      const { pace: rest, granted, nextAt } = takeTokens(pace, time, requested)
      pace = rest
      if (nextAt !== null) waitUntil(nextAt)
      return granted
    },
    hurry: (isRequested) => (isUnlimited = isRequested),
    pause() {
      pace = startPace(performance.now(), random(), PACE_PAUSE_MS)
      pausedAt = new Date(now()).toISOString()
      waitUntil(pace.at)
    },
    pauseStartedAt: () => (performance.now() < pace.at ? pausedAt : ''),
    wake$: wait$.pipe(
      switchMap((ms) => timer(ms)),
      takeUntil(stop$),
    ),
  }
}
