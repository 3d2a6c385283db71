/**
 * Whether the CRM can be reached, as far as anyone knows. `navigator.onLine` alone is never trusted:
 *
 *     offline event ──────────────→ offline
 *     online event ───────────────→ online (until a call says otherwise); so does the flag, where a page slept over the event
 *     a call got no answer ───────→ offline, then a probe with back-off while the page is visible
 *     a call or a probe answered ─→ online, unless the browser has gone offline since it began
 *
 * On Windows, whose events are known to lie, the probe runs every second instead (spec 4). Nothing else polls. This is what
 * people are told; whether a call may be tried is not asked here but at the circuit (RULES OC10), which lets a call of use
 * go before a probe.
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

export interface Connectivity {
  online$: Observable<boolean>
  /** False while the browser says offline and no answer has said otherwise. */
  mayTry$: Observable<boolean>
  /** The browser's `online` events, and nothing else. */
  cameOnline$: Observable<unknown>
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
  /** Its online flag, at any moment. */
  flag: () => boolean
  visible$: Observable<boolean>
  /** GET on the API base with `v1` replaced by `check`, once it may go; whether any answer came, null where it did not leave. */
  probe: () => ObservableInput<boolean | null>
  isWindows: boolean
  random: () => number
  after$?: (ms: number) => ObservableInput<unknown>
}

export function createConnectivity(parts: ConnectivityParts): Connectivity {
  const { initial, visible$, probe, isWindows } = parts
  const state$ = new BehaviorSubject(initial)
  const reports$ = new Subject<boolean>()
  const browserOffline$ = new BehaviorSubject(!initial)
  let timesOffline = 0

  /** An answer of before the browser went offline says nothing of now. */
  const begin = () => {
    const before = timesOffline
    return (reached: boolean) => {
      const isOfBefore = browserOffline$.value && before !== timesOffline
      if (!reached || !isOfBefore) reports$.next(reached)
    }
  }
  const everySecond$ = timer(0, CONNECTIVITY_POLL_MS).pipe(
    exhaustMap(() => {
      const tell = begin()
      return defer(probe).pipe(tap((ok) => ok !== null && tell(ok)))
    }),
    ignoreElements(),
  )
  const untilReached$ = state$.pipe(
    distinctUntilChanged(),
    switchMap((online) => (online || browserOffline$.value ? EMPTY : probing(parts, 0))),
  )

  const cameOnline$ = new Subject<void>()
  const heard = (online: boolean) => {
    if (!online && !browserOffline$.value) timesOffline += 1
    browserOffline$.next(!online)
    if (online) cameOnline$.next()
  }
  const subscription = merge(
    browserSays$(parts).pipe(tap(heard)),
    reports$,
    visible$.pipe(switchMap((visible) => (visible ? (isWindows ? everySecond$ : untilReached$) : EMPTY))),
  )
    .pipe(distinctUntilChanged())
    .subscribe((online) => state$.next(online))

  return {
    online$: state$.pipe(distinctUntilChanged()),
    mayTry$: combineLatest([state$, browserOffline$]).pipe(
      map(([online, browserOffline]) => online || !browserOffline),
      distinctUntilChanged(),
    ),
    cameOnline$,
    isOnline: () => state$.value,
    begin,
    stop() {
      subscription.unsubscribe()
      state$.complete()
    },
  }
}

/**
 * What the browser says: its events, and its flag whenever the app comes into sight. A page that slept (an iPhone in the
 * pocket) may never hear of the event, and without a word of the browser nothing would be sent, nor probed, ever again.
 */
const browserSays$ = ({ events$, visible$, initial, flag }: ConnectivityParts): Observable<boolean> =>
  defer(() => {
    let last = initial
    const slept$ = visible$.pipe(
      filter((visible) => visible && flag() !== last),
      map(flag),
    )
    return merge(events$, slept$).pipe(tap((online) => (last = online)))
  })

/** Tells once the CRM has answered a probe, longer apart each time. */
const probing = (
  parts: Pick<ConnectivityParts, 'probe' | 'random' | 'after$'>,
  attempt: number,
): Observable<boolean> => {
  const { probe, random, after$ = timer } = parts
  return defer(() => after$(backoffDelay(attempt, random()))).pipe(
    switchMap(() => defer(probe)),
    switchMap((ok) => (ok ? [true] : probing(parts, attempt + 1))),
  )
}

/**
 * One call without an answer is tried again before anyone is told that the CRM cannot be reached.
 * @param stopped the sync: a call that it has cut off itself says nothing of the signal
 */
export const reportsFrom =
  (
    { begin }: Pick<Connectivity, 'begin'>,
    circuit: { failures(): number },
    stopped: AbortSignal,
  ): Connectivity['begin'] =>
  () => {
    const tell = begin()
    return (reached) => {
      if (reached || (!stopped.aborted && circuit.failures() !== 1)) tell(reached)
    }
  }
