/**
 * A circuit breaker as a value: when a call to one API may begin, the same for every lane and tab (RULES
 * OC10).
 *
 *     closed ── a call failed ──→ open: no call before `notBefore` ── time ──→ half open: one trial call
 *      ↑                           ↑            trial failed: twice as long ─────┘   │
 *      └──────────────── a call of the API got a useful answer ──────────────────────┘
 *
 * Two laws always hold: no call begins before a `Retry-After` is over, and at most `CALLS_PER_MINUTE` calls
 * begin in a minute without a useful answer. Within these two, the browser's `online` event or the user's
 * request allows one call at once. All times are milliseconds of a monotonic clock.
 */
import { backoffDelay, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'

/** Maximum number of calls per minute while the API gives no useful answer. */
export const CALLS_PER_MINUTE = 12
const MINUTE_MS = 60_000
/**
 * A `Retry-After` is prolonged by a random share of itself, at most this one, so that thousands of devices do
 * not return in the same second.
 */
const SPREAD = 0.25
const SPREAD_MIN_MS = 3_000

/** The state of a circuit. */
export interface CircuitState {
  /**
   * 0 when closed; else the number of failures in a row since the last success or `online` event, at least 1.
   */
  readonly failures: number
  /** End of the back-off. */
  readonly notBefore: number
  /** End of the API's `Retry-After`, with its random share. */
  readonly retryAt: number
  /** When the circuit last opened. Calls that began earlier belong to a known outage and are not counted. */
  readonly openedAt: number
  /** A trial call is under way until this time at the latest. */
  readonly trialUntil: number
  /** True if the user requested a call: one may begin before the back-off is over. */
  readonly wished: boolean
  /** Start times of the calls since the last useful answer: the latest `CALLS_PER_MINUTE`, oldest first. */
  readonly begun: readonly number[]
}

export const CLOSED: CircuitState = {
  failures: 0,
  notBefore: 0,
  retryAt: 0,
  openedAt: 0,
  trialUntil: 0,
  wished: false,
  begun: [],
}

/** Result of a call, as far as the API's health is concerned. `neutral`: no conclusion, as from a 401. */
export type CircuitResult =
  | { kind: 'useful' }
  | { kind: 'neutral' }
  /** The probe was answered: the server is reachable, which is enough for a closed circuit. */
  | { kind: 'probed' }
  /** The call never left the device, or was aborted. */
  | { kind: 'unsent' }
  | { kind: 'failed' }
  | { kind: 'throttled'; retryAfterMs: number }

export type CircuitEvent =
  /**
   * A call begins; only allowed if `waitOf` is 0.
   * @param limitMs its time limit
   */
  | { kind: 'begun'; now: number; limitMs: number }
  /**
   * @param begunAt when this call began
   * @param random 0 ≤ random < 1
   */
  | { kind: 'ended'; now: number; begunAt: number; result: CircuitResult; random: number }
  /** The browser reports that it is online again. */
  | { kind: 'online'; now: number }
  /** The user pressed 今すぐ送信, 再送, データを今すぐ更新 or ログイン. */
  | { kind: 'wished' }

export const isClosed = ({ failures }: CircuitState): boolean => failures === 0

/** Milliseconds until a call may begin; 0 means now. */
export function waitOf(state: CircuitState, now: number): number {
  const [oldest = 0] = state.begun
  const budget = state.begun.length < CALLS_PER_MINUTE ? 0 : oldest + MINUTE_MS
  const backoff = isClosed(state) || state.wished ? 0 : Math.max(state.notBefore, state.trialUntil)
  return Math.max(0, state.retryAt - now, budget - now, backoff - now)
}

/** The state after an event. */
export function circuitAfter(state: CircuitState, event: CircuitEvent): CircuitState {
  switch (event.kind) {
    case 'begun': {
      const begun = [...state.begun, event.now].slice(-CALLS_PER_MINUTE)
      if (isClosed(state)) return { ...state, begun }
      return { ...state, begun, wished: false, trialUntil: event.now + event.limitMs }
    }
    case 'ended':
      return afterCall(state, event)
    case 'online': {
      const { now } = event
      return isClosed(state) ? state : { ...state, failures: 1, notBefore: now, openedAt: now, trialUntil: 0 }
    }
    case 'wished':
      return isClosed(state) ? state : { ...state, wished: true }
  }
}

function afterCall(
  state: CircuitState,
  { now, begunAt, result, random }: Extract<CircuitEvent, { kind: 'ended' }>,
): CircuitState {
  const isCounted = begunAt >= state.openedAt
  switch (result.kind) {
    case 'useful':
      return { ...CLOSED, retryAt: state.retryAt }
    case 'unsent':
      return { ...state, begun: without(state, begunAt), trialUntil: isCounted ? 0 : state.trialUntil }
    case 'probed':
      // An answered probe only removes itself from the budget; other calls under way may still fail.
      if (isClosed(state)) return { ...state, begun: without(state, begunAt) }
      return isCounted ? { ...state, trialUntil: 0 } : state
    case 'neutral':
      return isCounted ? { ...state, trialUntil: 0 } : state
    case 'failed':
      return isCounted ? opened(state, now, random) : state
    case 'throttled': {
      const { retryAfterMs } = result
      const retryAt =
        retryAfterMs > 0 ? Math.max(state.retryAt, now + prolonged(retryAfterMs, random)) : state.retryAt
      return { ...(isCounted ? opened(state, now, random) : state), retryAt }
    }
  }
}

function without({ begun }: CircuitState, begunAt: number): readonly number[] {
  const at = begun.indexOf(begunAt)
  return at < 0 ? begun : begun.toSpliced(at, 1)
}

const opened = (state: CircuitState, now: number, random: number): CircuitState => ({
  ...state,
  failures: state.failures + 1,
  notBefore: now + backoffDelay(state.failures, random),
  openedAt: now,
  trialUntil: 0,
})

function prolonged(retryAfterMs: number, random: number): number {
  const limited = Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)
  return limited + Math.round(random * Math.max(SPREAD_MIN_MS, limited * SPREAD))
}
