/**
 * The gate before each lane's calls: open while the browser does not say offline, the user's session is valid, no back-off
 * of the lane is running and it is the lane's turn. Push and pull wait here and nowhere else (RULES OC4, OC5).
 *
 * Two things wait for different reasons. What is wrong with the lane's own work (a list that always fails, a full disk)
 * holds back this lane; what is wrong with the API holds back all of them, in the circuit (RULES OC10). A wish of the user
 * and the browser's `online` event end the lane's own wait, the end of an outage once until the lane itself succeeds.
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

export class GateClosed extends Error {}

export interface Gate {
  /** @throws GateClosed when sync stops while waiting */
  passed(): Promise<void>
  /**
   * A call found no way: the next `passed` waits, longer each time.
   * @param begunAt on the gate's clock; what began before the last failure says nothing new
   */
  failed(retryAfterMs?: number, begunAt?: number): void
  succeeded(): void
}

/** The gate of a pull. */
export interface PullGate extends Gate {
  /** A person waits for this one call: whether it may leave before the back-off is over, once in each. */
  mayHurry(): boolean
  /** No call would be let out: `passed` waits until one is. */
  isHeld(): boolean
}

interface GateParts {
  /** False while the browser says offline and nothing says otherwise. */
  mayTry$: Observable<boolean>
  sessionValid$: Observable<boolean>
  /** Ends the lane's back-off: a wish, an `online` event of the browser. */
  hurry$: Observable<unknown>
  stop$: Observable<unknown>
  circuit: Pick<Circuit, 'turn$' | 'recovered$' | 'wait'>
  rank: Rank
  random: () => number
  /** Milliseconds, of a clock that nobody sets. */
  now?: () => number
  after$?: (ms: number) => ObservableInput<unknown>
}

/** A lane's own back-off. */
interface Backoff {
  attempt: number
  /** On the gate's clock. */
  notBefore: number
  /** When the failure came that was counted last. */
  failedAt: number
  /** After an outage, for reads. */
  easedUntil: number
  /** A call has left before the back-off was over. */
  hurried: boolean
  /** The end of an outage has ended a wait since the lane last succeeded. */
  resumed: boolean
}

const NO_WAIT = { attempt: 0, notBefore: 0, hurried: false, resumed: false }

/**
 * The end of an outage ends a lane's wait once. Where only this lane's calls fail, the others' answers are the end of an
 * outage again and again, and would leave it no back-off at all.
 */
const afterOutage = (backoff: Backoff): Backoff =>
  backoff.resumed ? backoff : { ...backoff, ...NO_WAIT, resumed: backoff.attempt > 0 }

/** @param begunAt when the failed call began: one from before the last failure says nothing new */
function afterFailure(
  backoff: Backoff,
  {
    now,
    begunAt,
    retryAfterMs,
    random,
  }: { now: number; begunAt: number; retryAfterMs: number; random: () => number },
): Backoff {
  const isNews = begunAt >= backoff.failedAt
  const wait = isNews ? backoffDelay(backoff.attempt, random(), retryAfterMs) : retryAfterMs
  const notBefore = Math.max(backoff.notBefore, now + Math.min(wait, RETRY_AFTER_MAX_MS))
  return isNews
    ? { ...backoff, notBefore, failedAt: now, attempt: backoff.attempt + 1 }
    : { ...backoff, notBefore }
}

export function createGate(parts: GateParts): PullGate {
  const { mayTry$, sessionValid$, hurry$, stop$, circuit, rank, random } = parts
  const { now = () => performance.now(), after$ = timer } = parts
  let backoff: Backoff = { ...NO_WAIT, failedAt: -Infinity, easedUntil: 0 }
  let reachable = false
  const reachable$ = combineLatest([mayTry$, sessionValid$]).pipe(map(([mayTry, valid]) => mayTry && valid))
  reachable$.pipe(takeUntil(stop$)).subscribe((is) => (reachable = is))
  const open$ = reachable$.pipe(filter(Boolean))
  /** A wait may be over, or another one begins. */
  const news$ = new Subject<void>()
  hurry$.pipe(takeUntil(stop$)).subscribe(() => {
    backoff = { ...backoff, ...NO_WAIT, easedUntil: 0 }
  })
  circuit.recovered$.pipe(takeUntil(stop$)).subscribe((failures) => {
    const easedUntil = rank === RANKS.pull ? now() + easeMs(failures, random()) : 0
    backoff = { ...afterOutage(backoff), easedUntil }
    news$.next()
  })

  const isHeld = () => circuit.wait() > 0
  const waiting = () => Math.max(backoff.notBefore, backoff.easedUntil) - now()
  const untilStopped = <T>(wait$: Observable<T>) =>
    firstValueFrom(wait$.pipe(takeUntil(stop$))).catch(() => {
      throw new GateClosed('sync stopped')
    })

  return {
    async passed() {
      await untilStopped(open$)
      for (let wait = waiting(); wait > 0; wait = waiting())
        await untilStopped(race(after$(wait), hurry$, news$))
      await untilStopped(open$)
      await untilStopped(circuit.turn$(rank))
      backoff = { ...backoff, hurried: false }
    },
    failed(retryAfterMs = 0, begunAt = Infinity) {
      backoff = afterFailure(backoff, { now: now(), begunAt, retryAfterMs, random })
    },
    succeeded() {
      backoff = { ...backoff, ...NO_WAIT }
      news$.next()
    },
    isHeld,
    mayHurry() {
      if (!reachable || isHeld() || (backoff.hurried && waiting() > 0)) return false
      backoff = { ...backoff, hurried: true }
      return true
    },
  }
}
