/**
 * Whether the CRM can be reached, as far as anyone knows. `navigator.onLine` alone is never trusted:
 *
 *     offline event ──────────────→ offline
 *     online event ───────────────→ online (until a call says otherwise)
 *     a call got no answer ───────→ offline, then a probe with back-off while the page is visible
 *     a call or a probe answered ─→ online, unless the browser has gone offline since it began
 *
 * On Windows, whose events are known to lie, the probe runs every second instead (spec 4). Nothing else polls.
 */
import {
  BehaviorSubject,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  ignoreElements,
  merge,
  Subject,
  switchMap,
  timer,
  type Observable,
} from 'rxjs'
import { CONNECTIVITY_POLL_MS } from '#schemas/limits.ts'
import { backoffDelay } from './backoff.ts'

export interface Connectivity {
  online$: Observable<boolean>
  isOnline(): boolean
  /** A call begins. @returns to be told what came of it: `true` where the CRM answered */
  begin(): (reached: boolean) => void
  stop(): void
}

export interface ConnectivityParts {
  /** The browser's online flag at start. */
  initial: boolean
  /** The browser's online and offline events. */
  events$: Observable<boolean>
  visible$: Observable<boolean>
  /** GET on the API base with `v1` replaced by `check`; resolves whether any answer came. */
  probe: () => Promise<boolean>
  isWindows: boolean
  random: () => number
}

export function createConnectivity(parts: ConnectivityParts): Connectivity {
  const { initial, events$, visible$, probe, isWindows, random } = parts
  const state$ = new BehaviorSubject(initial)
  const reports$ = new Subject<boolean>()
  let browserOffline = !initial
  let timesOffline = 0

  /** An answer of before the browser went offline says nothing of now. */
  const begin = () => {
    const before = timesOffline
    return (reached: boolean) => {
      const isOfBefore = browserOffline && before !== timesOffline
      if (!reached || !isOfBefore) reports$.next(reached)
    }
  }
  const everySecond$ = timer(0, CONNECTIVITY_POLL_MS).pipe(
    exhaustMap(async () => {
      const tell = begin()
      tell(await probe())
    }),
    ignoreElements(),
  )
  const untilReached$ = state$.pipe(
    distinctUntilChanged(),
    switchMap((online) => (online || browserOffline ? EMPTY : probing(0))),
  )
  const probing = (attempt: number): Observable<boolean> =>
    timer(backoffDelay(attempt, random())).pipe(
      switchMap(() => defer(probe)),
      switchMap((ok) => (ok ? [true] : probing(attempt + 1))),
    )

  const subscription = merge(
    events$.pipe(
      switchMap((online) => {
        if (!online && !browserOffline) timesOffline += 1
        browserOffline = !online
        return [online]
      }),
    ),
    reports$,
    visible$.pipe(switchMap((visible) => (visible ? (isWindows ? everySecond$ : untilReached$) : EMPTY))),
  )
    .pipe(distinctUntilChanged())
    .subscribe((online) => state$.next(online))

  return {
    online$: state$.pipe(distinctUntilChanged()),
    isOnline: () => state$.value,
    begin,
    stop() {
      subscription.unsubscribe()
      state$.complete()
    },
  }
}
