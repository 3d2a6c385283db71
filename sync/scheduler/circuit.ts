/**
 * The circuit breaker of one API base (RULES OC10): every call to it begins here, or not at all. `circuit-state.ts` decides
 * whether, `lanes.ts` who goes first; here are the clock and the memory that all tabs share. Two tabs that decide in the
 * same moment may both begin: in fact one tab makes the calls (TB1), the others only log in and probe.
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
  /** Emits once, when it is this one's turn to call; whoever has nothing to call need not. */
  turn$(rank: Rank): Observable<void>
  /**
   * Calls that are not let through end as not sent, `held`.
   * @param options.probe its answer says only that something is there
   * @param options.stopped after it no call begins, and one that it ends counts as unsent: it says nothing of the API
   */
  guard(http: Http, options?: { probe?: boolean; stopped?: AbortSignal }): Http
  /** Milliseconds until a call may begin. */
  wait(): number
  /** How often in a row it failed. */
  failures(): number
  /** The browser says that it is online again. */
  online(): void
  /** The user wishes a call: one may go before the back-off is over. */
  wish(): void
  /** Another tab has written the memory. */
  heard(): void
  /** An outage is over: so many calls in a row had failed, more than one. */
  recovered$: Observable<number>
}

export interface CircuitParts {
  /** Milliseconds, of a clock that nobody sets; the same in all tabs. */
  now: () => number
  /** Epoch ms, for a `Retry-After` given as a date. */
  wall: () => number
  random: () => number
  /** @returns what ends the timer */
  after: (ms: number, run: () => void) => () => void
  /** Shared by all tabs, and there after a reload. */
  memory: CircuitMemory
  /** People sign in here: a 401 to a call without a token is what they, or the session, are told. */
  hasLogin: boolean
}

export interface CircuitMemory {
  get(): string | null
  set(text: string): void
}

/** An outage: not only one call that failed. */
const OUTAGE = 2

export const NOT_LET_OUT: Answer = { kind: 'no-answer', sent: false, held: true }

export function createCircuit({ now, wall, random, after, memory, hasLogin }: CircuitParts): Circuit {
  let state: CircuitState = CLOSED
  let kept: string | null = null
  const recovered$ = new Subject<number>()

  /** As it is now, also where another tab has changed it. */
  function current(): CircuitState {
    const text = memory.get()
    if (text !== kept) {
      kept = text
      change(storedCircuit(text, now()))
    }
    return state
  }
  function change(next: CircuitState): void {
    const { failures } = state
    state = next
    if (failures >= OUTAGE && isClosed(next)) recovered$.next(failures)
  }
  function dispatch(event: CircuitEvent): void {
    change(circuitAfter(current(), event))
    const text = JSON.stringify(state)
    if (text !== kept) memory.set((kept = text))
    turns.give()
  }
  const wait = () => waitOf(current(), now())
  const turns = createLanes({ now, after, wait, mayAllGo: () => isClosed(current()) })

  function begin({ patience = 1 }: HttpCall): number | null {
    const begunAt = now()
    if (wait() > 0) return null
    turns.taken()
    dispatch({ kind: 'begun', now: begunAt, limitMs: CALL_TIMEOUT_MS * patience })
    return begunAt
  }
  const end = (begunAt: number, result: CircuitResult) =>
    dispatch({ kind: 'ended', now: now(), begunAt, result, random: random() })

  return {
    turn$: turns.turn$,
    guard: guardOf({ begin, end, wall, hasLogin }),
    wait,
    failures: () => current().failures,
    online: () => dispatch({ kind: 'online', now: now() }),
    wish: () => dispatch({ kind: 'wished' }),
    heard() {
      current()
      turns.give()
    },
    recovered$,
  }
}

interface Guarded {
  /** @returns when it began; null where it may not */
  begin: (call: HttpCall) => number | null
  end: (begunAt: number, result: CircuitResult) => void
  wall: () => number
  hasLogin: boolean
}

const guardOf =
  ({ begin, end, wall, hasLogin }: Guarded): Circuit['guard'] =>
  (http, { probe = false, stopped } = {}) =>
  async (call) => {
    // after the stop no call begins: it would use up the budget of whoever starts next
    const begunAt = stopped?.aborted ? null : begin(call)
    if (begunAt === null) return NOT_LET_OUT
    const answer = await http(call)
    const result = resultOf(answer, call, { wall: wall(), hasLogin })
    const isAnswered = probe && answer.kind === 'answer'
    end(begunAt, stopped?.aborted ? { kind: 'unsent' } : isAnswered ? { kind: 'probed' } : result)
    return answer
  }

/** What an answer says of the API's health; what it says of the call is decided in `outcome.ts`. */
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
    // the token's affair; a login or a refresh has none, and was answered. Who is refused a token of the file store goes on asking
    const isOfSession = hasLogin && !('Authorization' in headers)
    return { kind: isJson && isOfSession ? 'useful' : 'neutral' }
  }
  if (status >= 200 && status < 300)
    return { kind: isJson || status === 204 || body instanceof ArrayBuffer ? 'useful' : 'failed' }
  // the answer to a condition, and to nothing else
  if (status === 304 && 'If-None-Match' in headers) return { kind: 'useful' }
  if (status < 400 || status === 408 || status >= 500) return { kind: 'failed' }
  // a page comes from something in between: the API itself has said nothing (RULES OC7)
  return { kind: isJson || body === '' ? 'useful' : 'failed' }
}
