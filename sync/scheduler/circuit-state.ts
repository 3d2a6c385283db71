/**
 * When a call to one API may begin: a circuit breaker as a value, the same for every lane and every tab (RULES OC10).
 *
 *     closed ── a call failed ──→ open: nobody calls before `notBefore` ── time ──→ half open: one call goes, on trial
 *        ↑                          ↑            the trial failed: twice as long ────┘   │
 *        └───────────────── a call of the API had an answer of use ──────────────────────┘
 *
 * Two laws hold whatever is answered and whoever asks: no call begins before a `Retry-After` is over, and in a minute
 * without an answer of use at most `CALLS_A_MINUTE` begin. An `online` event of the browser and a wish of the user let one
 * call go at once, within both. All times are milliseconds of one clock that nobody sets back.
 */
import { backoffDelay, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'

/** Calls that begin in a minute in which the API answers nothing of use. */
export const CALLS_A_MINUTE = 12
const MINUTE_MS = 60_000
/** A `Retry-After` is prolonged by a random share up to this, so that a fleet does not come back in the same second. */
const SPREAD = 0.25
const SPREAD_LEAST_MS = 3_000

export interface CircuitState {
  /** 0: closed. Else how often in a row it failed since the last success or `online` event, at least 1. */
  readonly failures: number
  /** The end of the back-off. */
  readonly notBefore: number
  /** The end of what the API asked for by `Retry-After`, with its spread. */
  readonly retryAt: number
  /** A failed call that began before this is not counted: that outage is already known. */
  readonly openedAt: number
  /** A call is on trial, until then at the latest. */
  readonly trialUntil: number
  /** The user wishes a call: one may go before the back-off is over. */
  readonly wished: boolean
  /** When the calls began that followed the last answer of use: the latest `CALLS_A_MINUTE`, oldest first. */
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

/** What came of a call. `neutral`: it says nothing of the API's health, as a 401. */
export type CircuitResult =
  | { kind: 'useful' }
  | { kind: 'neutral' }
  /** The probe was answered: something is there, which is all that is asked of a closed circuit. */
  | { kind: 'probed' }
  /** It never left, or nobody waits for its answer any more. */
  | { kind: 'unsent' }
  | { kind: 'failed' }
  | { kind: 'throttled'; retryAfterMs: number }

export type CircuitEvent =
  /** A call begins; only where `waitOf` is 0. @param limitMs how long it can take */
  | { kind: 'begun'; now: number; limitMs: number }
  /** @param begunAt when this call began @param random 0 ≤ random < 1 */
  | { kind: 'ended'; now: number; begunAt: number; result: CircuitResult; random: number }
  /** The browser says that it is online again. */
  | { kind: 'online'; now: number }
  /** 今すぐ送信, 再送, データを今すぐ更新, ログイン. */
  | { kind: 'wished' }

export const isClosed = ({ failures }: CircuitState): boolean => failures === 0

/** @returns milliseconds until a call may begin; 0: now */
export function waitOf(state: CircuitState, now: number): number {
  const [oldest = 0] = state.begun
  const budget = state.begun.length < CALLS_A_MINUTE ? 0 : oldest + MINUTE_MS
  const own = isClosed(state) || state.wished ? 0 : Math.max(state.notBefore, state.trialUntil)
  return Math.max(0, state.retryAt - now, budget - now, own - now)
}

export function circuitAfter(state: CircuitState, event: CircuitEvent): CircuitState {
  switch (event.kind) {
    case 'begun': {
      const begun = [...state.begun, event.now].slice(-CALLS_A_MINUTE)
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
  const isNews = begunAt >= state.openedAt
  switch (result.kind) {
    case 'useful':
      return { ...CLOSED, retryAt: state.retryAt }
    case 'unsent':
      return { ...state, begun: without(state, begunAt), trialUntil: isNews ? 0 : state.trialUntil }
    case 'probed':
      // it gives back only its own place in the budget: other calls that have begun may still fail
      if (isClosed(state)) return { ...state, begun: without(state, begunAt) }
      return isNews ? { ...state, trialUntil: 0 } : state
    case 'neutral':
      return isNews ? { ...state, trialUntil: 0 } : state
    case 'failed':
      return isNews ? opened(state, now, random) : state
    case 'throttled': {
      const { retryAfterMs } = result
      const retryAt =
        retryAfterMs > 0 ? Math.max(state.retryAt, now + overstayed(retryAfterMs, random)) : state.retryAt
      return { ...(isNews ? opened(state, now, random) : state), retryAt }
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

function overstayed(retryAfterMs: number, random: number): number {
  const asked = Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)
  return asked + Math.round(random * Math.max(SPREAD_LEAST_MS, asked * SPREAD))
}
