/**
 * Limits the rate of reads that only confirm local data, by a token bucket: one in four seconds, at most four at once,
 * and only while the app is visible (RULES PL10). After a start, and after the signal or the CRM returned, they pause
 * for a random time, so that ten thousand devices that wake in one minute do not all read in one second.
 */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import { READS_AT_ONCE } from '#schemas/limits.ts'

export const PACE_EVERY_MS = 4_000
export const PACE_START_MS = 120_000
export const PACE_PAUSE_MS = 240_000

/**
 * A token bucket. `tokens`: how many reads may begin now. `at`: time of the last refill, ms on the caller's clock; during
 * a pause, its end.
 */
export type Pace = { tokens: number; at: number }

/** The token bucket at the beginning of a pause. @param random 0 ≤ random < 1 */
export const startPace = (now: number, random: number, maxPauseMs = PACE_START_MS): Pace => ({
  tokens: 0,
  at: now + Math.round(random * maxPauseMs),
})

/**
 * Grants a read. If no token is left, the next reads are granted together later, as many as may begin at once, so that
 * the phone's radio does not wake for each.
 * @returns `nextAt`: when to ask again, ms on the caller's clock; null if the read was granted
 */
export function takeToken({ tokens, at }: Pace, now: number): { pace: Pace; nextAt: number | null } {
  const refilled = Math.max(0, Math.floor((now - at) / PACE_EVERY_MS))
  const isFull = tokens + refilled >= READS_AT_ONCE
  const available = Math.min(READS_AT_ONCE, tokens + refilled)
  const refilledAt = isFull && now > at ? now : at + refilled * PACE_EVERY_MS
  if (available > 0) return { pace: { tokens: available - 1, at: refilledAt }, nextAt: null }
  return { pace: { tokens: 0, at: refilledAt }, nextAt: refilledAt + READS_AT_ONCE * PACE_EVERY_MS }
}

export type Pacer = ReturnType<typeof createPacer>

interface PacerParts {
  visible$: Observable<boolean>
  stop$: Observable<unknown>
  random: () => number
  /** Epoch ms. */
  now: () => number
}

export function createPacer({ visible$, stop$, random, now }: PacerParts) {
  let pace = startPace(performance.now(), random())
  let pausedAt = ''
  let [isUnlimited, visible] = [false, true]
  /** No read is granted before this time. */
  let waitsUntil = 0
  const wait$ = new Subject<number>()
  const waitUntil = (at: number) => {
    waitsUntil = at
    // One more millisecond, because a timer may fire slightly early.
    wait$.next(Math.max(0, Math.ceil(at - performance.now()) + 1))
  }
  visible$.pipe(takeUntil(stop$)).subscribe((is) => (visible = is))
  return {
    /** True if a background read may begin now. If not, `wake$` emits when one may. */
    grant(): boolean {
      if (isUnlimited) return true
      const time = performance.now()
      // When the app becomes visible, a round starts and calls this again.
      if (!visible || time < waitsUntil) return false
      const { pace: rest, nextAt } = takeToken(pace, time)
      pace = rest
      if (nextAt !== null) waitUntil(nextAt)
      return nextAt === null
    },
    /** @param isRequested true lifts the rate limit, because the user has requested a refresh */
    hurry: (isRequested: boolean) => void (isUnlimited = isRequested),
    /** Starts a random pause, because the signal or the CRM returned for many devices at once. */
    pause() {
      pace = startPace(performance.now(), random(), PACE_PAUSE_MS)
      pausedAt = new Date(now()).toISOString()
      waitUntil(pace.at)
    },
    /** When the current pause after an outage began, ISO 8601; '' if there is no such pause. */
    pauseStartedAt: () => (performance.now() < pace.at ? pausedAt : ''),
    wake$: wait$.pipe(
      switchMap((ms) => timer(ms)),
      takeUntil(stop$),
    ),
  }
}
