/**
 * A circuit breaker as a value: it decides when a call to one API may begin, for every lane and tab (RULES OC10).
 *
 *     closed ── a call failed ──→ open: no call before `notBefore` ── time ──→ half open: one trial call
 *      ↑                           ↑            trial failed: twice as long ─────┘   │
 *      └──────────────── a call of the API got a useful answer ──────────────────────┘
 *
 * Two laws always hold: no call begins before a `Retry-After` is over, and at most `CALLS_PER_MINUTE` calls begin in a
 * minute without a useful answer. Within these laws, the browser's `online` event or the user's request allows one call
 * at once. All times are milliseconds of a clock that all tabs share (`sharedNow`).
 */
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import { INVALID_TOKEN } from '#schemas/api-error.ts'
import { retryAfterMs, backoffDelay, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Answer } from '#sync/transport/outcome.ts'

/** Maximum number of calls per minute while the API gives no useful answer. */
export const CALLS_PER_MINUTE = 12
const MINUTE_MS = 60_000
/** Largest share by which a `Retry-After` is prolonged, so that thousands of devices do not return at once. */
const SPREAD = 0.25
const SPREAD_MIN_MS = 3_000
/** The time limit of an upload plus a margin. */
const TRIAL_MAX_MS = 3 * MINUTE_MS
const FAILURES_MAX = 64

/**
 * `retryAt`: end of the API's `Retry-After`, prolonged. `openedAt`: when the last failure was counted; calls that began
 * earlier belong to the same outage. `requested`: the user requested a call, which may begin before the back-off is over.
 */
export interface Circuit {
  /** 0 if closed, else the failures in a row since the last success or `online` event. */
  readonly failures: number
  readonly notBefore: number
  readonly retryAt: number
  readonly openedAt: number
  /** Time by which the trial call under way has ended at the latest; 0 if there is none. */
  readonly trialUntil: number
  readonly requested: boolean
  /** Start times of the latest `CALLS_PER_MINUTE` calls since the last useful answer, oldest first. */
  readonly begun: readonly number[]
}

/**
 * What a call's end shows of the API's health. `neutral`: nothing, like a 401. `probed`: the probe was answered, so the
 * server is reachable. `unsent`: the call never left the device, or sync has stopped.
 */
export type CallResult =
  | { kind: 'useful' | 'neutral' | 'probed' | 'unsent' | 'failed' }
  | { kind: 'throttled'; retryAfterMs: number }

/**
 * `begun`: a call with this time limit begins, while `waitOf` is 0. `ended`: a call that began at `begunAt` ends.
 * `requested`: a press (OC10d). `stored`: another tab or an earlier page has stored this text. 0 ≤ random < 1.
 */
export type CircuitEvent =
  | { kind: 'begun'; now: number; limitMs: number }
  | { kind: 'ended'; now: number; begunAt: number; result: CallResult; random: number }
  | { kind: 'online'; now: number }
  | { kind: 'requested' }
  | { kind: 'stored'; now: number; text: string | null }

export const isClosed = ({ failures }: Circuit): boolean => failures === 0

/** By reason: the time until which no call may begin. */
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

/** Milliseconds until a call may begin. */
export const waitOf = (circuit: Circuit, now: number): number =>
  Math.max(0, Math.max(...Object.values(circuitWaits(circuit))) - now)

export function circuitAfter(circuit: Circuit, event: CircuitEvent): Circuit {
  switch (event.kind) {
    case 'begun': {
      const begun = [...circuit.begun, event.now].slice(-CALLS_PER_MINUTE)
      if (isClosed(circuit)) return { ...circuit, begun }
      return { ...circuit, begun, requested: false, trialUntil: event.now + event.limitMs }
    }
    case 'ended':
      return afterCall(circuit, event)
    case 'online':
      return isClosed(circuit)
        ? circuit
        : { ...circuit, failures: 1, notBefore: event.now, openedAt: event.now, trialUntil: 0 }
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
  const failures = circuit.failures + 1
  const notBefore = now + backoffDelay(circuit.failures, random)
  const failed = isCounted ? { ...trialEnded, failures, notBefore, openedAt: now } : circuit
  switch (result.kind) {
    case 'useful':
      return { ...CLOSED, retryAt: circuit.retryAt }
    case 'unsent':
      return { ...trialEnded, begun: without(circuit, begunAt) }
    case 'probed':
      // It does not close the circuit, because other calls may still fail, nor count in the budget while it is closed.
      return isClosed(circuit) ? { ...circuit, begun: without(circuit, begunAt) } : trialEnded
    case 'neutral':
      return trialEnded
    case 'failed':
      return failed
    case 'throttled': {
      if (result.retryAfterMs <= 0) return failed
      const ms = Math.min(result.retryAfterMs, RETRY_AFTER_MAX_MS)
      const spreadMs = Math.round(random * Math.max(SPREAD_MIN_MS, ms * SPREAD))
      return { ...failed, retryAt: Math.max(circuit.retryAt, now + ms + spreadMs) }
    }
  }
}

const without = ({ begun }: Circuit, begunAt: number): readonly number[] =>
  begun.filter((_, index) => index !== begun.indexOf(begunAt))

/** Parses a stored state, limiting times that a wrong clock made. The first screen loads this file, so without ArkType. */
function storedCircuit(text: string | null, now: number): Circuit {
  let stored: Record<string, unknown> = {}
  try {
    stored = Object(JSON.parse(String(text))) as typeof stored
  } catch {
    // The text is missing or has another form.
  }
  const begun = [stored['begun']].flat().map(numberOf)
  const until = (name: keyof Circuit, longestMs: number) => Math.min(numberOf(stored[name]), now + longestMs)
  return {
    failures: Math.min(Math.floor(numberOf(stored['failures'])), FAILURES_MAX),
    notBefore: until('notBefore', RETRY_MAX_MS),
    retryAt: until('retryAt', RETRY_AFTER_MAX_MS * (1 + SPREAD)),
    openedAt: until('openedAt', 0),
    trialUntil: until('trialUntil', TRIAL_MAX_MS),
    requested: stored['requested'] === true,
    begun: begun.filter((time) => time > 0 && time <= now).slice(-CALLS_PER_MINUTE),
  }
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && value < Infinity ? Math.max(0, value) : 0

export const CLOSED: Circuit = storedCircuit(null, 0)

/**
 * Judges the API's health by an answer. `outcome.ts` decides what the answer means for the call.
 * @param api `wall`: epoch ms, for a `Retry-After` that is a date. `hasLogin`: true if this API has the login
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
    // A refused token shows nothing of the API. Login and refresh send none, so their 401 is useful; the file store's never.
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
