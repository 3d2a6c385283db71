/**
 * The pace of this device's background reads, with its timer. All pulls share it, and it grants nothing while
 * the app is hidden (RULES PL10).
 */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import { PACE_PAUSE_MS, startPace, takeFrom, type Pace } from './prefetch-pace.ts'

export interface Pacer {
  /** Returns how many of the wanted background reads may begin now. `wake$` emits when to ask again. */
  grant(wanted: number): number
  /** @param asked true while the user waits for a refresh: reads then go at full speed */
  hurry(asked: boolean): void
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
  let paused = ''
  let hurried = false
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
    grant(wanted) {
      if (hurried || wanted === 0) return wanted
      // When the app becomes visible, a round starts and asks again.
      if (!visible) return 0
      const at = performance.now()
      if (at < waitsUntil) return 0
      const taken = takeFrom(pace, at, wanted)
      pace = taken.pace
      if (taken.nextAt !== null) waitUntil(taken.nextAt)
      return taken.granted
    },
    hurry: (asked) => (hurried = asked),
    pause() {
      pace = startPace(performance.now(), random(), PACE_PAUSE_MS)
      paused = new Date(now()).toISOString()
      waitUntil(pace.at)
    },
    pausedSince: () => (performance.now() < pace.at ? paused : ''),
    wake$,
  }
}
