/**
 * The scheduler of one API; every call to the API passes it (RULES OC10). `schedule.ts` decides when a call may
 * begin; this file adds the clock, the timer, and the circuit's state that all tabs and reloads share. Two tabs
 * that decide at once may both begin; in practice only the leading tab makes more calls than logins and probes.
 */
import {
  combineLatest,
  defer,
  firstValueFrom,
  fromEvent,
  map,
  NEVER,
  Observable,
  race,
  Subject,
  switchMap,
  takeUntil,
} from 'rxjs'
import { CALL_TIMEOUT_MS, type Http } from '#sync/transport/http.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import { resultOf, waitOf, type CallResult } from './circuit.ts'
import {
  EMPTY,
  mayHurry,
  nextAt,
  PROBE_LANE,
  step,
  whyMostUrgent,
  type Call,
  type LaneEvent,
  type Rank,
  type ReadPriority,
  type Schedule,
  type ScheduleEvent,
  type Wait,
} from './schedule.ts'

/** Thrown by `passed` when sync stops while a caller waits at the gate. */
export class GateClosed extends Error {}

/** The gate before each lane's calls. Push and pull wait only here. */
export interface Gate {
  /** Resolves when a call may begin. @throws GateClosed if sync stops meanwhile */
  passed(): Promise<void>
  /**
   * A call failed: the next `passed` waits, longer each time.
   * @param begunAt when the call began, on the scheduler's clock; a call that began before the last failure is
   * not counted
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

interface LaneParts {
  rank: Rank
  /** False while the browser reports offline and nothing contradicts it. */
  mayTry$: Observable<boolean>
  sessionValid$: Observable<boolean>
  /** Ends the lane's back-off: the user's request, or the browser's `online` event. */
  hurry$: Observable<unknown>
  stop$: Observable<unknown>
}

interface GuardOptions {
  /** True if any answer only shows that the server is reachable. */
  probe?: boolean
  /** Once aborted, no call begins; a call that it aborts counts as unsent: its end says nothing of the API. */
  stopped?: AbortSignal
}

/** How a read is queued. */
export interface ReadOptions {
  priority: ReadPriority
  /** Aborted: the read does not begin; one that has begun continues. */
  signal?: AbortSignal
}

export interface Scheduler {
  /** Opens the gate of a lane. */
  gate(parts: LaneParts): PullGate
  /** Wraps `http`. A call that may not begin ends at once, as not sent and with `held`. */
  guard(http: Http, options?: GuardOptions): Http
  /** Probes once, when no other call waits: true for an answer, false for none, null if it did not leave. */
  probe(http: Http, url: string): Observable<boolean | null>
  /**
   * Runs a read once it has a place (RULES PL9).
   * @throws the signal's reason if it was aborted before the read began
   */
  read<T>(options: ReadOptions, run: () => Promise<T>): Promise<T>
  /** Milliseconds until a call may begin. */
  wait(): number
  /** Why the most urgent call would wait, until an epoch time; null if it may begin. */
  why(): Wait | null
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

/** What a scheduler works with. */
export interface SchedulerParts {
  /** Milliseconds of a monotonic clock, the same in all tabs. */
  now: () => number
  /** Epoch ms. */
  wall: () => number
  random: () => number
  /** Starts a timer; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  /** Shared by all tabs; survives a reload. */
  memory: SchedulerMemory
  /** True if this API has the login. */
  hasLogin: boolean
}

export interface SchedulerMemory {
  get(): string | null
  set(text: string): void
}

export const NOT_ADMITTED: Answer = { kind: 'no-answer', sent: false, held: true }

type Core = ReturnType<typeof createCore>

/** The value with its clock, its timer and its memory. */
function createCore({ now, random, after, memory }: SchedulerParts) {
  const recovered$ = new Subject<number>()
  /** What begins each waiting call. */
  const begins = new Map<number, () => void>()
  let schedule = EMPTY
  let lastText: string | null = null
  let lastId = 0
  let cancelTimer = () => undefined as void

  /** Other tabs' state first. A full localStorage has none, which is no news. */
  function dispatch(event: ScheduleEvent): void {
    const stored = memory.get()
    if (stored !== null && stored !== lastText)
      apply({ kind: 'stored', now: now(), text: (lastText = stored) })
    apply(event)
  }
  function apply(event: ScheduleEvent): void {
    const { schedule: next, admitted, endedOutage } = step(schedule, event, { now: now(), random })
    schedule = next
    const text = JSON.stringify(schedule.circuit)
    if (event.kind !== 'stored' && text !== lastText) memory.set((lastText = text))
    cancelTimer()
    const ms = nextAt(schedule, now()) - now()
    if (ms < Infinity) cancelTimer = after(Math.max(0, Math.ceil(ms)), () => dispatch({ kind: 'time' }))
    if (endedOutage > 0) recovered$.next(endedOutage)
    for (const id of admitted) begins.get(id)?.()
  }
  function current(): Schedule {
    if (memory.get() !== lastText) dispatch({ kind: 'time' })
    return schedule
  }
  /** Emits once when a call may begin. The caller need not make one. */
  const begin$ = (call: Call) =>
    new Observable<void>((subscriber) => {
      begins.set(call.id, () => {
        begins.delete(call.id)
        subscriber.next()
        subscriber.complete()
      })
      dispatch({ kind: 'arrived', call })
      return () => {
        if (begins.delete(call.id)) dispatch({ kind: 'removed', id: call.id })
      }
    })
  const nextId = () => (lastId += 1)
  return { dispatch, current, begin$, nextId, recovered$, wait: () => waitOf(current().circuit, now()) }
}

/** Creates the scheduler of one API. */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { now, wall } = parts
  const core = createCore(parts)
  const { dispatch, current, begin$, nextId, wait, recovered$ } = core
  const guard = guardOf(parts, core)
  return {
    gate: (lane) => openGate(lane, core, now),
    guard,
    probe: (http, url) =>
      defer(() => begin$({ id: nextId(), lane: PROBE_LANE })).pipe(
        switchMap(() =>
          guard(http, { probe: true })({ method: 'GET', url, signed: false, withoutBody: true }),
        ),
        map((answer) => (answer.kind === 'answer' ? true : answer.sent ? false : null)),
      ),
    async read({ priority, signal }, run) {
      signal?.throwIfAborted()
      const id = nextId()
      const aborted$ = signal ? fromEvent(signal, 'abort').pipe(map(() => signal.throwIfAborted())) : NEVER
      try {
        await firstValueFrom(race(begin$({ id, priority }), aborted$))
        return await run()
      } finally {
        dispatch({ kind: 'removed', id })
      }
    },
    wait,
    why() {
      const longest = whyMostUrgent(current(), now())
      return longest && { ...longest, until: wall() + longest.until - now() }
    },
    failures: () => current().circuit.failures,
    online: () => dispatch({ kind: 'online', now: now() }),
    requestCall: () => dispatch({ kind: 'requested' }),
    storedStateChanged: () => dispatch({ kind: 'time' }),
    recovered$,
  }
}

const guardOf =
  ({ now, wall, random, hasLogin }: SchedulerParts, { dispatch, wait }: Core): Scheduler['guard'] =>
  (http, { probe = false, stopped } = {}) =>
  async (call) => {
    // No call begins after the stop, because it would use the budget of the next sync.
    if (stopped?.aborted || wait() > 0) return NOT_ADMITTED
    const begunAt = now()
    dispatch({ kind: 'begun', now: begunAt, limitMs: CALL_TIMEOUT_MS * (call.patience ?? 1) })
    const answer = await http(call)
    const judged = resultOf(answer, call, { wall: wall(), hasLogin })
    const known: CallResult = probe && answer.kind === 'answer' ? { kind: 'probed' } : judged
    const result: CallResult = stopped?.aborted ? { kind: 'unsent' } : known
    dispatch({ kind: 'ended', now: now(), begunAt, result, random: random() })
    return answer
  }

function openGate(
  { rank, mayTry$, sessionValid$, hurry$, stop$ }: LaneParts,
  { dispatch, current, begin$, nextId, wait }: Core,
  now: () => number,
): PullGate {
  const lane = `lane ${nextId()}`
  const apply = (event: LaneEvent) => dispatch({ kind: 'lane', lane, event })
  apply({ kind: 'opened', rank })
  const signals$ = combineLatest([mayTry$, sessionValid$]).pipe(takeUntil(stop$))
  signals$.subscribe(([isOnline, hasSession]) => apply({ kind: 'signals', isOnline, hasSession }))
  hurry$.pipe(takeUntil(stop$)).subscribe(() => apply({ kind: 'freed' }))
  stop$.subscribe(() => apply({ kind: 'closed' }))
  return {
    passed: () =>
      firstValueFrom(begin$({ id: nextId(), lane }).pipe(takeUntil(stop$))).catch(() => {
        throw new GateClosed('sync stopped')
      }),
    failed: (retryAfterMs = 0, begunAt = Infinity) => apply({ kind: 'failed', retryAfterMs, begunAt }),
    succeeded: () => apply({ kind: 'succeeded' }),
    isBlocked: () => wait() > 0,
    mayHurry() {
      const isAllowed = mayHurry(current(), lane, now())
      if (isAllowed) apply({ kind: 'hurried' })
      return isAllowed
    },
  }
}

/** The schedulers of the two APIs. */
export interface Schedulers {
  /** `{api}`: login, refresh, the CRM's records, the probe. */
  crm: Scheduler
  /** `{fs}`: the file store. */
  files: Scheduler
}

type SharedParts = Omit<SchedulerParts, 'memory' | 'hasLogin'> & { memory: (name: string) => SchedulerMemory }

export const createSchedulers = ({ memory, ...parts }: SharedParts): Schedulers => ({
  crm: createScheduler({ ...parts, memory: memory('crm'), hasLogin: true }),
  files: createScheduler({ ...parts, memory: memory('files'), hasLogin: false }),
})

export const afterTimeout: SchedulerParts['after'] = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** The browser reports that it is online again. */
export function reportOnline({ crm, files }: Schedulers): void {
  crm.online()
  files.online()
}

/** The user requests something now: for each API one call may begin before its back-off is over. */
export function requestCalls({ crm, files }: Schedulers): void {
  crm.requestCall()
  files.requestCall()
}
