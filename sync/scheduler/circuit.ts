/**
 * The circuit breaker of one API base URL (RULES OC10); every call to the API passes it. `circuit-state.ts`
 * decides whether a call may begin, `lanes.ts` which caller is next; this file adds the clock and the state
 * that all tabs share. Two tabs that decide at the same moment may both begin. In practice one tab makes the
 * calls (TB1); the others only log in and probe.
 */
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { type Observable, Subject } from 'rxjs'
import type { Answer } from '#sync/transport/outcome.ts'
import {
  circuitAfter,
  CLOSED,
  isClosed,
  waitOf,
  type CircuitEvent,
  type CircuitState,
  type CircuitResult,
} from './circuit-state.ts'
import { storedCircuit } from './circuit-memory.ts'
import { CALL_TIMEOUT_MS, type Http, type HttpCall } from '#sync/transport/http.ts'
import { retryAfterMs } from '#sync/transport/retry-after.ts'
import { createLanes, type Rank } from './lanes.ts'

export interface Circuit {
  /** Emits once when a caller of this rank may begin a call. The caller need not make one. */
  admission$(rank: Rank): Observable<void>
  /**
   * Wraps `http`. A call that may not begin ends at once, as not sent and with `held`.
   * @param options.probe any answer to it only shows that the server is reachable
   * @param options.stopped once aborted, no call begins; a call that it aborts counts as unsent, because its
   * end says nothing about the API
   */
  guard(http: Http, options?: { probe?: boolean; stopped?: AbortSignal }): Http
  /** Milliseconds until a call may begin. */
  wait(): number
  /** Number of failures in a row. */
  failures(): number
  /** The browser reports that it is online again. */
  online(): void
  /** The user requests a call: one may begin before the back-off is over. */
  requestCall(): void
  /** Called when another tab has changed the shared state. */
  storedStateChanged(): void
  /** Emits at the end of an outage: the number of failed calls in a row, more than one. */
  recovered$: Observable<number>
}

/** What a circuit works with. */
export interface CircuitParts {
  /** Milliseconds of a monotonic clock, the same in all tabs. */
  now: () => number
  /** Epoch ms, for a `Retry-After` that is a date. */
  wall: () => number
  random: () => number
  /** Starts a timer; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  /** Shared by all tabs; survives a reload. */
  memory: CircuitMemory
  /** True if this API has the login: a 401 to a call without a token is then a useful answer. */
  hasLogin: boolean
}

export interface CircuitMemory {
  get(): string | null
  set(text: string): void
}

/** Number of failed calls in a row from which on it counts as an outage. */
const OUTAGE_FAILURES = 2

export const NOT_ADMITTED: Answer = { kind: 'no-answer', sent: false, held: true }

/** Creates the circuit of one API. */
export function createCircuit({ now, wall, random, after, memory, hasLogin }: CircuitParts): Circuit {
  let state: CircuitState = CLOSED
  let lastText: string | null = null
  const recovered$ = new Subject<number>()

  /** The current state, including changes by other tabs. */
  function current(): CircuitState {
    const text = memory.get()
    if (text !== lastText) {
      lastText = text
      change(storedCircuit(text, now()))
    }
    return state
  }
  function change(next: CircuitState): void {
    const { failures } = state
    state = next
    if (failures >= OUTAGE_FAILURES && isClosed(next)) recovered$.next(failures)
  }
  function dispatch(event: CircuitEvent): void {
    change(circuitAfter(current(), event))
    const text = JSON.stringify(state)
    if (text !== lastText) memory.set((lastText = text))
    lanes.admitNext()
  }
  const wait = () => waitOf(current(), now())
  const lanes = createLanes({ now, after, wait, isClosed: () => isClosed(current()) })

  function begin({ patience = 1 }: HttpCall): number | null {
    const begunAt = now()
    if (wait() > 0) return null
    lanes.onCallBegun()
    dispatch({ kind: 'begun', now: begunAt, limitMs: CALL_TIMEOUT_MS * patience })
    return begunAt
  }
  const end = (begunAt: number, result: CircuitResult) =>
    dispatch({ kind: 'ended', now: now(), begunAt, result, random: random() })

  return {
    admission$: lanes.admission$,
    guard: guardOf({ begin, end, wall, hasLogin }),
    wait,
    failures: () => current().failures,
    online: () => dispatch({ kind: 'online', now: now() }),
    requestCall: () => dispatch({ kind: 'wished' }),
    storedStateChanged() {
      current()
      lanes.admitNext()
    },
    recovered$,
  }
}

interface GuardParts {
  /** Returns the time at which the call began; null if it may not begin. */
  begin: (call: HttpCall) => number | null
  end: (begunAt: number, result: CircuitResult) => void
  wall: () => number
  hasLogin: boolean
}

const guardOf =
  ({ begin, end, wall, hasLogin }: GuardParts): Circuit['guard'] =>
  (http, { probe = false, stopped } = {}) =>
  async (call) => {
    // No call begins after the stop, because it would use the budget of the next sync.
    const begunAt = stopped?.aborted ? null : begin(call)
    if (begunAt === null) return NOT_ADMITTED
    const answer = await http(call)
    const result = resultOf(answer, call, { wall: wall(), hasLogin })
    const isAnswered = probe && answer.kind === 'answer'
    end(begunAt, stopped?.aborted ? { kind: 'unsent' } : isAnswered ? { kind: 'probed' } : result)
    return answer
  }

/** Judges the API's health by an answer. `outcome.ts` decides what the answer means for the call. */
function resultOf(
  answer: Answer,
  { headers = {} }: HttpCall,
  { wall, hasLogin }: { wall: number; hasLogin: boolean },
): CircuitResult {
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
