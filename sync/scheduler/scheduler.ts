/**
 * The scheduler of one API, which every call to the API passes (RULES OC10). `schedule.ts` decides when a call may
 * begin; this file adds the clock, the timer, and the storage of the circuit's state, which all tabs and reloads share.
 * If two tabs decide at once, both calls begin, which is rare: other tabs than the leader only make logins and probes.
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
import { NOT_SENT } from '#sync/transport/outcome.ts'
import { resultOf, waitOf } from './circuit.ts'
import * as rules from './schedule.ts'
import type { LaneEvent, Rank, ReadPriority, ScheduleEvent } from './schedule.ts'

/** Thrown when sync stops while a caller waits at the gate. */
export class GateClosed extends Error {}

/** The gate of one lane. Pushes and pulls wait only here. */
export type PullGate = ReturnType<typeof openGate>
export type Gate = Pick<PullGate, 'passed' | 'failed' | 'succeeded'>

/** `mayTry$`: false while the browser reports offline and no answer contradicts it. `hurry$`: ends the lane's back-off. */
interface LaneParts {
  rank: Rank
  mayTry$: Observable<boolean>
  sessionValid$: Observable<boolean>
  hurry$: Observable<unknown>
  stop$: Observable<unknown>
}

/** A read does not begin after the abort of its `signal`. */
export type ReadOptions = { priority: ReadPriority; signal?: AbortSignal }

/** Storage of the circuit's state, which all tabs share and which survives a reload. */
export interface SchedulerMemory {
  get(): string | null
  set(text: string): void
}

export interface SchedulerParts {
  /** Milliseconds of a clock that is the same in all tabs (`sharedNow`). */
  now: () => number
  /** Epoch ms. */
  wall: () => number
  random: () => number
  /** Starts a timer; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  memory: SchedulerMemory
  /** True if the login is a call of this API: of the CRM, but not of the file store. */
  hasLogin: boolean
}

function createCore({ now, random, after, memory }: SchedulerParts) {
  const recovered$ = new Subject<number>()
  /** By id of a waiting call: the function that begins the call. */
  const begins = new Map<number, () => void>()
  let schedule = rules.EMPTY
  let lastText: string | null = null
  let lastId = 0
  let cancelTimer = () => undefined as void

  /** Applies the state that another tab has stored, if there is one, and then the event. */
  function dispatch(event: ScheduleEvent): void {
    const text = memory.get()
    if (text !== null && text !== lastText) apply({ kind: 'stored', now: now(), text: (lastText = text) })
    apply(event)
  }
  function apply(event: ScheduleEvent): void {
    const { schedule: next, admitted, endedOutage } = rules.step(schedule, event, { now: now(), random })
    schedule = next
    const text = JSON.stringify(schedule.circuit)
    if (event.kind !== 'stored' && text !== lastText) memory.set((lastText = text))
    cancelTimer()
    const ms = rules.nextAt(schedule, now()) - now()
    if (ms < Infinity) cancelTimer = after(Math.max(0, Math.ceil(ms)), () => dispatch({ kind: 'time' }))
    if (endedOutage > 0) recovered$.next(endedOutage)
    for (const id of admitted) begins.get(id)?.()
  }
  function current() {
    if (memory.get() !== lastText) dispatch({ kind: 'time' })
    return schedule
  }
  const nextId = () => (lastId += 1)
  /** Emits when the call may begin. */
  const begin$ = (call: { lane: string } | { priority: ReadPriority }, id = nextId()) =>
    new Observable<void>((subscriber) => {
      begins.set(id, () => {
        begins.delete(id)
        subscriber.next()
        subscriber.complete()
      })
      dispatch({ kind: 'arrived', call: { id, ...call } })
      return () => {
        if (begins.delete(id)) dispatch({ kind: 'removed', id })
      }
    })
  /** Milliseconds until a call may begin. */
  const wait = () => waitOf(current().circuit, now())
  return { dispatch, current, begin$, nextId, recovered$, wait }
}

type Core = ReturnType<typeof createCore>
export type Scheduler = ReturnType<typeof createScheduler>

export function createScheduler(parts: SchedulerParts) {
  const { now, wall } = parts
  const core = createCore(parts)
  const { dispatch, current, begin$, nextId, wait, recovered$ } = core
  const guard = guardOf(parts, core)
  return {
    gate: (lane: LaneParts) => openGate(lane, core, now),
    guard,
    /** Probes once, when no other call waits. Emits true for an answer, false for no answer, null if it was not sent. */
    probe: (http: Http, url: string): Observable<boolean | null> =>
      defer(() => begin$({ lane: rules.PROBE_LANE })).pipe(
        switchMap(() =>
          guard(http, { probe: true })({ method: 'GET', url, signed: false, withoutBody: true }),
        ),
        map((answer) => (answer.kind === 'answer' ? true : answer.sent ? false : null)),
      ),
    /** Runs a read once it has a place (RULES PL9). @throws the reason of an abort before the read began */
    async read<T>({ priority, signal }: ReadOptions, run: () => Promise<T>): Promise<T> {
      signal?.throwIfAborted()
      const id = nextId()
      const aborted$ = signal ? fromEvent(signal, 'abort').pipe(map(() => signal.throwIfAborted())) : NEVER
      try {
        await firstValueFrom(race(begin$({ priority }, id), aborted$))
        return await run()
      } finally {
        dispatch({ kind: 'removed', id })
      }
    },
    wait,
    /** Why the most urgent call would wait, and until when (epoch ms); null if it may begin. */
    why(): rules.Wait | null {
      const longest = rules.whyMostUrgent(current(), now())
      return longest && { ...longest, until: wall() + longest.until - now() }
    },
    failures: () => current().circuit.failures,
    online: () => dispatch({ kind: 'online', now: now() }),
    /** Lets one call begin before the back-off is over, because the user requests something. */
    requestCall: () => dispatch({ kind: 'requested' }),
    /** Called when another tab has changed the shared state. */
    storedStateChanged: () => dispatch({ kind: 'time' }),
    /** Emits at the end of an outage: the number of failed calls in a row, more than one. */
    recovered$: recovered$.asObservable(),
  }
}

/**
 * Wraps an `Http`. A call that may not begin ends with `NOT_SENT`. After the abort of `stopped`, no call begins, and a
 * call under way counts as unsent. The answer to a probe only shows that the server is reachable.
 */
const guardOf =
  ({ now, wall, random, hasLogin }: SchedulerParts, { dispatch, wait }: Core) =>
  (http: Http, { probe = false, stopped }: { probe?: boolean; stopped?: AbortSignal } = {}): Http =>
  async (call) => {
    // A call after the stop would use the budget of the next sync.
    if (stopped?.aborted || wait() > 0) return NOT_SENT
    const begunAt = now()
    dispatch({ kind: 'begun', now: begunAt, limitMs: CALL_TIMEOUT_MS * (call.patience ?? 1) })
    const answer = await http(call)
    let result = resultOf(answer, call, { wall: wall(), hasLogin })
    if (probe && answer.kind === 'answer') result = { kind: 'probed' }
    if (stopped?.aborted) result = { kind: 'unsent' }
    dispatch({ kind: 'ended', now: now(), begunAt, result, random: random() })
    return answer
  }

function openGate(
  { rank, mayTry$, sessionValid$, hurry$, stop$ }: LaneParts,
  { dispatch, current, begin$, nextId, wait }: Core,
  now: () => number,
) {
  const lane = `lane ${nextId()}`
  const apply = (event: LaneEvent) => dispatch({ kind: 'lane', lane, event })
  apply({ kind: 'opened', rank })
  const signals$ = combineLatest([mayTry$, sessionValid$]).pipe(takeUntil(stop$))
  signals$.subscribe(([isOnline, hasSession]) => apply({ kind: 'signals', isOnline, hasSession }))
  hurry$.pipe(takeUntil(stop$)).subscribe(() => apply({ kind: 'freed' }))
  stop$.subscribe(() => apply({ kind: 'closed' }))
  return {
    /** Resolves when a call may begin. @throws GateClosed if sync stops meanwhile */
    passed: (): Promise<void> =>
      firstValueFrom(begin$({ lane }).pipe(takeUntil(stop$))).catch(() => {
        throw new GateClosed('sync stopped')
      }),
    /** Lets the next `passed` wait, longer each time. A call that began (`begunAt`) before the last failure is ignored. */
    failed: (retryAfterMs = 0, begunAt = Infinity) => apply({ kind: 'failed', retryAfterMs, begunAt }),
    succeeded: () => apply({ kind: 'succeeded' }),
    /** True if the circuit admits no call now. */
    isBlocked: (): boolean => wait() > 0,
    /** True if a call that a person waits for may begin before the back-off is over; once per back-off. */
    mayHurry(): boolean {
      const isAllowed = rules.mayHurry(current(), lane, now())
      if (isAllowed) apply({ kind: 'hurried' })
      return isAllowed
    },
  }
}

/** `crm` is for login, refresh, the CRM's records and the probe; `files` is for the file store. */
export type Schedulers = Record<'crm' | 'files', Scheduler>

type SharedParts = Omit<SchedulerParts, 'memory' | 'hasLogin'> & { memory: (name: string) => SchedulerMemory }

export const createSchedulers = ({ memory, ...parts }: SharedParts): Schedulers => ({
  crm: createScheduler({ ...parts, memory: memory('crm'), hasLogin: true }),
  files: createScheduler({ ...parts, memory: memory('files'), hasLogin: false }),
})

export const afterTimeout: SchedulerParts['after'] = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

export const reportOnline = ({ crm, files }: Schedulers) => [crm, files].forEach((each) => each.online())
export const requestCalls = ({ crm, files }: Schedulers) => [crm, files].forEach((each) => each.requestCall())
