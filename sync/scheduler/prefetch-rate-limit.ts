/** The pace of this device's background reads, with its timer: one for all pulls, and only while the app is in sight (RULES PL10). */
import { Subject, switchMap, takeUntil, timer, type Observable } from 'rxjs'
import { PACE_PAUSE_MS, startPace, takeFrom, type Pace } from './prefetch-pace.ts'

export interface Pacer {
  /** How many of the wanted background reads may leave now; `wake$` tells when to ask again for the others. */
  grant(wanted: number): number
  /** @param asked the user asked and waits: as fast as possible; else at the usual pace */
  hurry(asked: boolean): void
  /** The signal or the CRM came back, for other devices in the same moment: a pause of random length. */
  pause(): void
  /** ISO 8601; '' while there is no such pause. */
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

export function createPacer({ visible$, stop$, random, now }: Parts): Pacer {
  let pace: Pace = startPace(performance.now(), random())
  let paused = ''
  let hurried = false
  let visible = true
  /** Until then nothing is granted, and `wake$` tells of it. */
  let waitsUntil = 0
  const wait$ = new Subject<number>()
  const wake$ = wait$.pipe(
    switchMap((ms) => timer(ms)),
    takeUntil(stop$),
  )
  const waitUntil = (at: number) => {
    waitsUntil = at
    // a timer may be early by a little
    wait$.next(Math.max(0, Math.ceil(at - performance.now()) + 1))
  }
  visible$.pipe(takeUntil(stop$)).subscribe((is) => (visible = is))
  return {
    grant(wanted) {
      if (hurried || wanted === 0) return wanted
      // on becoming visible there is a round, and with it a look
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
