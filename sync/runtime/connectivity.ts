/**
 * Tracks whether the CRM can probably be reached. `navigator.onLine` alone is not reliable:
 *
 *     offline event ──────────────→ offline
 *     online event ───────────────→ online, until a call fails; a page that was asleep reads the browser's flag instead
 *     a call got no answer ───────→ offline, then a probe with back-off while the page is visible
 *     a call or probe answered ───→ online, unless the browser went offline after it began
 *
 * On Windows, whose events are unreliable, the probe runs every second instead (spec 4). The state is only shown to
 * the user. The circuit breaker decides whether a call may begin (RULES OC10).
 */
import {
  BehaviorSubject,
  combineLatest,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  ignoreElements,
  map,
  merge,
  Subject,
  switchMap,
  tap,
  timer,
  type Observable,
  type ObservableInput,
} from 'rxjs'
import { CONNECTIVITY_POLL_MS } from '#schemas/limits.ts'
import { backoffDelay } from '../lib/backoff.ts'

export type Connectivity = ReturnType<typeof createConnectivity>

/** `initial`, `flag`: the browser's online flag at the start and now. */
export interface ConnectivityParts {
  initial: boolean
  events$: Observable<boolean>
  flag: () => boolean
  visible$: Observable<boolean>
  /** Probes the API. Emits true for any answer, false for no answer, null if the probe was not sent. */
  probe: () => ObservableInput<boolean | null>
  isWindows: boolean
  random: () => number
  after$?: (ms: number) => ObservableInput<unknown>
}

export function createConnectivity(parts: ConnectivityParts) {
  const { initial, visible$, probe, isWindows } = parts
  const state$ = new BehaviorSubject(initial)
  const reports$ = new Subject<boolean>()
  const browserOffline$ = new BehaviorSubject(!initial)
  let timesOffline = 0

  /**
   * Called when a call begins. The result is called when the call ends, with true if the CRM answered. A failure is
   * ignored if its call began before the browser went offline.
   */
  const begin = () => {
    const before = timesOffline
    return (reached: boolean) => {
      const isOutdated = browserOffline$.value && before !== timesOffline
      if (!reached || !isOutdated) reports$.next(reached)
    }
  }
  const everySecond$ = timer(0, CONNECTIVITY_POLL_MS).pipe(
    exhaustMap(() => {
      const report = begin()
      return defer(probe).pipe(tap((ok) => ok !== null && report(ok)))
    }),
    ignoreElements(),
  )
  const untilReached$ = state$.pipe(
    distinctUntilChanged(),
    switchMap((online) => (online || browserOffline$.value ? EMPTY : probing(parts, 0))),
  )
  const cameOnline$ = new Subject<void>()
  const onBrowserStatus = (online: boolean) => {
    if (!online && !browserOffline$.value) timesOffline += 1
    browserOffline$.next(!online)
    if (online) cameOnline$.next()
  }
  const probed$ = visible$.pipe(
    switchMap((visible) => (!visible ? EMPTY : isWindows ? everySecond$ : untilReached$)),
  )
  const subscription = merge(browserStatus$(parts).pipe(tap(onBrowserStatus)), reports$, probed$)
    .pipe(distinctUntilChanged())
    .subscribe((online) => state$.next(online))

  return {
    online$: state$.pipe(distinctUntilChanged()),
    /** Emits false while the browser reports offline, unless a call has been answered since. */
    mayTry$: combineLatest([state$, browserOffline$]).pipe(
      map(([online, browserOffline]) => online || !browserOffline),
      distinctUntilChanged(),
    ),
    cameOnline$: cameOnline$.asObservable() as Observable<unknown>,
    isOnline: (): boolean => state$.value,
    begin,
    stop() {
      subscription.unsubscribe()
      state$.complete()
    },
  }
}

/** The browser's events, and its flag when the app becomes visible: a page that was asleep may have missed an event. */
function browserStatus$({ events$, visible$, initial, flag }: ConnectivityParts): Observable<boolean> {
  let last = initial
  const missed$ = visible$.pipe(filter((visible) => visible && flag() !== last))
  return merge(events$, missed$.pipe(map(flag))).pipe(tap((online) => (last = online)))
}

/** Probes with growing intervals. Emits true when the CRM answers. */
const probing = (parts: ConnectivityParts, attempt: number): Observable<boolean> => {
  const { probe, random, after$ = timer } = parts
  return defer(() => after$(backoffDelay(attempt, random()))).pipe(
    switchMap(() => defer(probe)),
    switchMap((ok) => (ok ? [true] : probing(parts, attempt + 1))),
  )
}

/** Wraps `begin` so that only the second failure in a row counts, and none after the stop of sync (`stopped`). */
export const reportsFrom =
  (
    { begin }: Pick<Connectivity, 'begin'>,
    circuit: { failures(): number },
    stopped: AbortSignal,
  ): Connectivity['begin'] =>
  () => {
    const report = begin()
    return (reached) => {
      if (reached || (!stopped.aborted && circuit.failures() !== 1)) report(reached)
    }
  }
