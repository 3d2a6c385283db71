/**
 * The pace of this device's background reads, with its timer. All pulls share it, and it grants nothing while
 * the app is hidden (RULES PL10).
 */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import { PACE_PAUSE_MS, startPace, takeTokens, type Pace } from './prefetch-pace.ts'

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

interface Parts {
  visible$: Observable<boolean>
  stop$: Observable<unknown>
  random: () => number
  /** Epoch ms. */
  now: () => number
}

/** Creates the pace of one device. */
export function createPacer({ visible$, stop$, random, now }: Parts): Pacer {
  let pace: Pace = startPace(performance.now(), random())
  let pausedAt = ''
  let isUnlimited = false
  let visible = true
  /** Nothing is granted until this time; then `wake$` emits. */
  let waitsUntil = 0
  const wait$ = new Subject<number>()
  const wake$ = wait$.pipe(
    switchMap((ms) => timer(ms)),
    takeUntil(stop$),
  )
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
    wake$,
  }
}
