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
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { retryAfterMs, backoffDelay, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Answer } from '#sync/transport/outcome.ts'

/** Maximum number of calls per minute while the API gives no useful answer. */
export const CALLS_PER_MINUTE = 12
const MINUTE_MS = 60_000
/**
 * A `Retry-After` is prolonged by a random share of itself, at most this one, so that thousands of devices do
 * not return in the same second.
 */
const SPREAD = 0.25
const SPREAD_MIN_MS = 3_000
/** Limits of a stored state: an upload's time limit plus a margin, and a number of failures. */
const TRIAL_MAX_MS = 3 * MINUTE_MS
const FAILURES_MAX = 64

/** The state of a circuit. */
export interface Circuit {
  /** 0 when closed; else the failures in a row since the last success or `online` event, at least 1. */
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
  readonly requested: boolean
  /** Start times of the calls since the last useful answer: the latest `CALLS_PER_MINUTE`, oldest first. */
  readonly begun: readonly number[]
}

export const CLOSED: Circuit = {
  failures: 0,
  notBefore: 0,
  retryAt: 0,
  openedAt: 0,
  trialUntil: 0,
  requested: false,
  begun: [],
}

/** Result of a call, as far as the API's health is concerned. `neutral`: no conclusion, as from a 401. */
export type CallResult =
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
   * A call begins; only allowed while nothing is waited for.
   * @param limitMs its time limit
   */
  | { kind: 'begun'; now: number; limitMs: number }
  /**
   * @param begunAt when this call began
   * @param random 0 ≤ random < 1
   */
  | { kind: 'ended'; now: number; begunAt: number; result: CallResult; random: number }
  /** The browser reports that it is online again. */
  | { kind: 'online'; now: number }
  /** The user pressed 今すぐ送信, 再送, データを今すぐ更新 or ログイン. */
  | { kind: 'requested' }
  /** Another tab or an earlier load has stored this text. */
  | { kind: 'stored'; now: number; text: string | null }

export const isClosed = ({ failures }: Circuit): boolean => failures === 0

/** Until when no call may begin, by reason. */
export function circuitWaits(circuit: Circuit) {
  const [oldest = 0] = circuit.begun
  const isFree = isClosed(circuit) || circuit.requested
  return {
    'retry-after': circuit.retryAt,
    budget: circuit.begun.length < CALLS_PER_MINUTE ? 0 : oldest + MINUTE_MS,
    outage: isFree ? 0 : circuit.notBefore,
    trial: isFree ? 0 : circuit.trialUntil,
  }
}

/** Milliseconds until a call may begin; 0 means now. */
export const waitOf = (circuit: Circuit, now: number): number =>
  Math.max(0, Math.max(...Object.values(circuitWaits(circuit))) - now)

/** The state after an event. */
export function circuitAfter(circuit: Circuit, event: CircuitEvent): Circuit {
  switch (event.kind) {
    case 'begun': {
      const begun = [...circuit.begun, event.now].slice(-CALLS_PER_MINUTE)
      if (isClosed(circuit)) return { ...circuit, begun }
      return { ...circuit, begun, requested: false, trialUntil: event.now + event.limitMs }
    }
    case 'ended':
      return afterCall(circuit, event)
    case 'online': {
      const { now } = event
      const again = { failures: 1, notBefore: now, openedAt: now, trialUntil: 0 }
      return isClosed(circuit) ? circuit : { ...circuit, ...again }
    }
    case 'requested':
      return isClosed(circuit) ? circuit : { ...circuit, requested: true }
    case 'stored':
      return storedCircuit(event.text, event.now)
  }
}

function afterCall(
  circuit: Circuit,
  { now, begunAt, result, random }: Extract<CircuitEvent, { kind: 'ended' }>,
): Circuit {
  const isCounted = begunAt >= circuit.openedAt
  const trialEnded = isCounted ? { ...circuit, trialUntil: 0 } : circuit
  const failed = isCounted ? opened(circuit, now, random) : circuit
  switch (result.kind) {
    case 'useful':
      return { ...CLOSED, retryAt: circuit.retryAt }
    case 'unsent':
      return { ...trialEnded, begun: without(circuit, begunAt) }
    case 'probed':
      // An answered probe ends the trial of an open circuit. It does not close a circuit, because other calls under way
      // may still fail; a closed circuit gets its place in the budget back.
      return isClosed(circuit) ? { ...circuit, begun: without(circuit, begunAt) } : trialEnded
    case 'neutral':
      return trialEnded
    case 'failed':
      return failed
    case 'throttled': {
      if (result.retryAfterMs <= 0) return failed
      return { ...failed, retryAt: Math.max(circuit.retryAt, now + prolonged(result.retryAfterMs, random)) }
    }
  }
}

function without({ begun }: Circuit, begunAt: number): readonly number[] {
  const at = begun.indexOf(begunAt)
  return at < 0 ? begun : begun.toSpliced(at, 1)
}

const opened = (circuit: Circuit, now: number, random: number): Circuit => ({
  ...circuit,
  failures: circuit.failures + 1,
  notBefore: now + backoffDelay(circuit.failures, random),
  openedAt: now,
  trialUntil: 0,
})

function prolonged(requestedMs: number, random: number): number {
  const limited = Math.min(requestedMs, RETRY_AFTER_MAX_MS)
  return limited + Math.round(random * Math.max(SPREAD_MIN_MS, limited * SPREAD))
}

/**
 * Parses a stored state. The clock that it was stored by may have been wrong, so each time is limited to now
 * plus the longest possible wait. Without ArkType, because the first screen loads this.
 */
function storedCircuit(text: string | null, now: number): Circuit {
  const stored = recordOf(text)
  const until = (name: keyof Circuit, longestMs: number) => Math.min(numberOf(stored[name]), now + longestMs)
  const begun = [stored['begun']].flat().map(numberOf)
  return {
    failures: Math.min(Math.floor(numberOf(stored['failures'])), FAILURES_MAX),
    notBefore: until('notBefore', RETRY_MAX_MS),
    retryAt: until('retryAt', RETRY_AFTER_MAX_MS * (1 + SPREAD)),
    openedAt: until('openedAt', 0),
    trialUntil: until('trialUntil', TRIAL_MAX_MS),
    requested: stored['requested'] === true,
    begun: begun.filter((at) => at > 0 && at <= now).slice(-CALLS_PER_MINUTE),
  }
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && value < Infinity ? Math.max(0, value) : 0

function recordOf(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(text))) as Record<string, unknown>
  } catch {
    return {}
  }
}

/**
 * Judges the API's health by an answer. `outcome.ts` decides what the answer means for the call.
 * @param wall epoch ms, for a `Retry-After` that is a date
 * @param hasLogin true if this API has the login: a 401 to a call without a token is then a useful answer
 */
export function resultOf(
  answer: Answer,
  { headers = {} }: HttpCall,
  { wall, hasLogin }: { wall: number; hasLogin: boolean },
): CallResult {
  if (answer.kind === 'no-answer') return { kind: answer.sent ? 'failed' : 'unsent' }
  const { status, isJson, body } = answer
  if (status === 429 || status === 503)
    return { kind: 'throttled', retryAfterMs: retryAfterMs(answer.retryAfter, wall) }
  if (status === 401 || status === INVALID_TOKEN) {
    // These concern the token, not the API. Login and refresh send no token, so their 401 is a real answer.
    // The file store may refuse a valid token for long, so its 401 never counts as useful.
    const isSessionCall = hasLogin && !('Authorization' in headers)
    return { kind: isJson && isSessionCall ? 'useful' : 'neutral' }
  }
  if (status >= 200 && status < 300)
    return { kind: isJson || status === 204 || body instanceof ArrayBuffer ? 'useful' : 'failed' }
  // A 304 is only valid as the answer to a conditional call.
  if (status === 304 && 'If-None-Match' in headers) return { kind: 'useful' }
  if (status < 400 || status === 408 || status >= 500) return { kind: 'failed' }
  // A page comes from a server in front of the API, which itself has said nothing (RULES OC7).
  return { kind: isJson || body === '' ? 'useful' : 'failed' }
}
