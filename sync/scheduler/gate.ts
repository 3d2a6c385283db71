/**
 * The gate before each lane's calls. It is open if the browser does not report offline, the user's session is
 * valid, the lane's back-off is over, and the circuit admits the lane. Push and pull wait only here (RULES
 * OC4, OC5).
 *
 * A problem of the lane's own work (a list that always fails, a full disk) delays this lane only. A problem
 * of the API delays all lanes, in the circuit (RULES OC10). A request of the user and the browser's `online`
 * event end the lane's own wait. The end of an outage also ends it, but only once until the lane succeeds.
 */
import {
  combineLatest,
  filter,
  firstValueFrom,
  map,
  race,
  Subject,
  takeUntil,
  timer,
  type Observable,
  type ObservableInput,
} from 'rxjs'
import { backoffDelay, easeMs, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import type { Circuit } from './circuit.ts'
import { RANKS, type Rank } from './lanes.ts'

/** Thrown by `passed` when sync stops while a caller waits at the gate. */
export class GateClosed extends Error {}

export interface Gate {
  /**
   * Resolves when a call may begin.
   * @throws GateClosed if sync stops meanwhile
   */
  passed(): Promise<void>
  /**
   * A call failed: the next `passed` waits, longer each time.
   * @param begunAt when the call began, on the gate's clock; a call that began before the last failure is not
   * counted
   */
  failed(retryAfterMs?: number, begunAt?: number): void
  succeeded(): void
}

/** The gate of a pull. */
export interface PullGate extends Gate {
  /** True if a call that a person waits for may begin before the back-off is over; once per back-off. */
  mayHurry(): boolean
  /** True if the circuit admits no call now. */
  isBlocked(): boolean
}

/** What a gate works with. */
interface GateParts {
  /** False while the browser reports offline and nothing contradicts it. */
  mayTry$: Observable<boolean>
  sessionValid$: Observable<boolean>
  /** Ends the lane's back-off: the user's request, or the browser's `online` event. */
  hurry$: Observable<unknown>
  stop$: Observable<unknown>
  circuit: Pick<Circuit, 'admission$' | 'recovered$' | 'wait'>
  rank: Rank
  random: () => number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
  after$?: (ms: number) => ObservableInput<unknown>
}

/** A lane's own back-off. */
interface Backoff {
  attempt: number
  /** On the gate's clock. */
  notBefore: number
  /** Time of the last counted failure. */
  failedAt: number
  /** For reads: the end of the delay after an outage. */
  easedUntil: number
  /** True if a call has passed before the back-off was over, which is allowed once. */
  hurried: boolean
  /** True if the end of an outage has already ended a wait since the lane last succeeded. */
  resumed: boolean
}

const NO_WAIT = { attempt: 0, notBefore: 0, hurried: false, resumed: false }

/**
 * The end of an outage ends a lane's wait only once. If only this lane's calls fail, other lanes' answers end
 * an "outage" again and again, and this lane would have no back-off.
 */
const afterOutage = (backoff: Backoff): Backoff =>
  backoff.resumed ? backoff : { ...backoff, ...NO_WAIT, resumed: backoff.attempt > 0 }

/** @param begunAt when the failed call began; a call that began before the last failure is not counted */
function afterFailure(
  backoff: Backoff,
  {
    now,
    begunAt,
    retryAfterMs,
    random,
  }: { now: number; begunAt: number; retryAfterMs: number; random: () => number },
): Backoff {
  const isCounted = begunAt >= backoff.failedAt
  const wait = isCounted ? backoffDelay(backoff.attempt, random(), retryAfterMs) : retryAfterMs
  const notBefore = Math.max(backoff.notBefore, now + Math.min(wait, RETRY_AFTER_MAX_MS))
  return isCounted
    ? { ...backoff, notBefore, failedAt: now, attempt: backoff.attempt + 1 }
    : { ...backoff, notBefore }
}

/** Creates the gate of a lane. */
export function createGate(parts: GateParts): PullGate {
  const { mayTry$, sessionValid$, hurry$, stop$, circuit, rank, random } = parts
  const { now = () => performance.now(), after$ = timer } = parts
  let backoff: Backoff = { ...NO_WAIT, failedAt: -Infinity, easedUntil: 0 }
  let reachable = false
  const reachable$ = combineLatest([mayTry$, sessionValid$]).pipe(map(([mayTry, valid]) => mayTry && valid))
  reachable$.pipe(takeUntil(stop$)).subscribe((is) => (reachable = is))
  const open$ = reachable$.pipe(filter(Boolean))
  /** Emits when a wait may have become shorter or longer. */
  const waitChanged$ = new Subject<void>()
  hurry$.pipe(takeUntil(stop$)).subscribe(() => {
    backoff = { ...backoff, ...NO_WAIT, easedUntil: 0 }
  })
  circuit.recovered$.pipe(takeUntil(stop$)).subscribe((failures) => {
    const easedUntil = rank === RANKS.pull ? now() + easeMs(failures, random()) : 0
    backoff = { ...afterOutage(backoff), easedUntil }
    waitChanged$.next()
  })

  const isBlocked = () => circuit.wait() > 0
  const waiting = () => Math.max(backoff.notBefore, backoff.easedUntil) - now()
  const untilStopped = <T>(wait$: Observable<T>) =>
    firstValueFrom(wait$.pipe(takeUntil(stop$))).catch(() => {
      throw new GateClosed('sync stopped')
    })

  return {
    async passed() {
      await untilStopped(open$)
      for (let wait = waiting(); wait > 0; wait = waiting())
        await untilStopped(race(after$(wait), hurry$, waitChanged$))
      await untilStopped(open$)
      await untilStopped(circuit.admission$(rank))
      backoff = { ...backoff, hurried: false }
    },
    failed(retryAfterMs = 0, begunAt = Infinity) {
      backoff = afterFailure(backoff, { now: now(), begunAt, retryAfterMs, random })
    },
    succeeded() {
      backoff = { ...backoff, ...NO_WAIT }
      waitChanged$.next()
    },
    isBlocked,
    mayHurry() {
      if (!reachable || isBlocked() || (backoff.hurried && waiting() > 0)) return false
      backoff = { ...backoff, hurried: true }
      return true
    },
  }
}
