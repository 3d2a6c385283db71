/**
 * The pull engine reads the records of one resource from the CRM (decisions/pull). RxDB calls `handler` repeatedly. A call
 * returns what has arrived and waits for no particular read, so that a slow read delays no other (RULES PL9):
 *
 *     RxDB calls ─→ ready documents │ error │ gate ─→ plan, in which the resource offers reads ─→ wait until a read ends ─→ …
 *     read ─→ merged ─→ the screen's fetch request is answered ─→ its documents are ready
 *         └─→ failed ─┬─ other reads succeed ─→ only this read waits, for its back-off
 *                     └─ perhaps the CRM is down ─→ the gate closes, RxDB gets the error
 *
 * A call of RxDB waits at the gate while the CRM does not answer (`PullGate`). Meanwhile, only reads for a screen begin.
 *
 * Invariants, each with a property test (`tests/sync/pull/pull-engine.test.ts`):
 *
 * - Only one read of a name is in progress.
 * - A failed read waits for its back-off and delays no other read.
 * - Every fetch request is answered or retried.
 * - After the stop nothing begins, and nothing is merged or answered.
 */
import { BehaviorSubject, filter, firstValueFrom, Subject, switchMap, takeUntil } from 'rxjs'
import { TICKS, type Ticks } from '#sync/lib/backoff.ts'
import { passedOr } from '#sync/retention/expiry.ts'
import { isWaiting, PullAgain, troubleAfter, type Trouble } from '#sync/scheduler/read-backoff.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { createReadyDocs, type ReadyDocs } from './ready-docs.ts'
import { LANES, type EngineParts, type PullAdapter, type Work } from './work.ts'

interface Read<D> {
  work: Work<D>
  controller: AbortController
  /** Milliseconds of the clock `ticks`. */
  begunAt: number
  /** Number of calls that the CRM had accepted when the read began. */
  acceptedBefore: number
  /** True if nobody needs the read any more. It occupies its place until its call has ended; its failure is ignored. */
  isDropped: boolean
}

interface State<D> {
  parts: EngineParts
  ticks: Ticks
  reads: Set<Read<D>>
  /** The failures of reads that have not succeeded since, by name. */
  troubles: Map<string, Trouble>
  ready: ReadyDocs<D>
  /** True if another read may have become possible since the last plan. */
  isDue$: BehaviorSubject<boolean>
  /** True if the current plan is made while the gate is closed: only a screen's reads may begin. */
  isGateClosed: boolean
  isStopped: boolean
}

export type PullEngine<D> = ReturnType<typeof createPullEngine<D>>

/** Ten tries take about eight minutes. */
const FETCH_TRIES_MAX = 10

export function createPullEngine<D>(parts: EngineParts, adapter: PullAdapter<D>) {
  const { stop$, ticks = TICKS } = parts
  const isDue$ = new BehaviorSubject(false)
  const recheck = () => isDue$.next(true)
  const reads = new Set<Read<D>>()
  const ready = createReadyDocs<D>({ ticks, stop$, isBusy: () => isBusy(state), recheck })
  const troubles = new Map<string, Trouble>()
  const flags = { isGateClosed: false, isStopped: false }
  const state: State<D> = { parts, ticks, reads, troubles, ready, isDue$, ...flags }
  stop$.subscribe(() => {
    state.isStopped = true
    recheck()
  })
  const triesOf = (name: string) => troubles.get(name)?.tries ?? 0
  return {
    handler: createHandler(state, adapter),
    /** Begins a read if it is admitted. @returns false if the read did not begin; it is not queued */
    offer(work: Work<D>): boolean {
      const isAllowed = isAdmitted(state, work)
      if (isAllowed) begin(state, work)
      return isAllowed
    },
    drop: (name: string) => drop(state, name),
    /** Makes the engine plan again. */
    recheck,
    /** Ends all back-offs. A failed read keeps one try, because a fetch request without one is not retried (RULES PL8). */
    clear() {
      for (const [name, trouble] of troubles) troubles.set(name, { ...trouble, tries: 1, isOwn: false })
    },
    free: (lane: Work<D>['priority']) => free(state, lane),
    isBusy: () => isBusy(state),
    /** True if a read of this name is running, or a screen's read that replaces it. */
    isCovered: (name: string) =>
      isUnderWay(state, name) || [...reads].some(({ work }) => work.replaces === name),
    mayStart: (name: string) => mayStart(state, name),
    /** True if the read of this name failed although others succeed, and is not running now. */
    hasOwnFailure: (name: string) => troubles.get(name)?.isOwn === true && !isUnderWay(state, name),
    /** How often in a row the read of this name has failed. */
    triesOf,
    /** True if a fetch request that was answered as failed will be tried again. */
    isStillTried: (name: string) => triesOf(name) > 0 && triesOf(name) < FETCH_TRIES_MAX,
  }
}

const needed = <D>({ reads }: State<D>) => [...reads].filter(({ isDropped }) => !isDropped)
const isBusy = <D>(state: State<D>) => needed(state).length > 0
const isUnderWay = <D>(state: State<D>, name: string) => needed(state).some(({ work }) => work.name === name)

/** True if the read of this name is neither running nor backing off. */
const mayStart = <D>(state: State<D>, name: string) =>
  !isUnderWay(state, name) && !isWaiting(state.troubles.get(name), state.ticks.now())

const free = <D>({ reads }: State<D>, lane: Work<D>['priority']) =>
  LANES[lane] - [...reads].filter(({ work }) => work.priority === lane).length

/** True if a read may begin now. */
function isAdmitted<D>(state: State<D>, { name, priority, isPaced }: Work<D>): boolean {
  const { gate, pacer } = state.parts
  if (state.isStopped || free(state, priority) <= 0 || !mayStart(state, name)) return false
  if (state.isGateClosed) return priority === 'screen' && !state.troubles.has(name) && gate.mayHurry()
  return !isPaced || pacer.grant()
}

function begin<D>(state: State<D>, work: Work<D>): void {
  const { reads, ready, parts, ticks } = state
  if (work.replaces !== undefined) drop(state, work.replaces)
  const controller = new AbortController()
  const begun = { begunAt: ticks.now(), acceptedBefore: parts.accepted() }
  const read: Read<D> = { work, controller, ...begun, isDropped: false }
  reads.add(read)
  void parts.inFlight.run(async () => {
    try {
      ready.add(await docsOf(state, read), work.priority)
    } catch (error) {
      if (!read.isDropped) ready.fail(error)
    }
    reads.delete(read)
    state.isDue$.next(true)
  })
}

function drop<D>(state: State<D>, name: string): void {
  for (const read of needed(state).filter(({ work }) => work.name === name)) {
    read.isDropped = true
    read.controller.abort()
  }
}

/** Reads, merges, and answers the screen's fetch request. @throws the error that RxDB gets */
async function docsOf<D>(state: State<D>, read: Read<D>): Promise<readonly D[]> {
  const { work, controller } = read
  const priority = work.priority === 'local' ? 'background' : work.priority
  try {
    const merge = await work.read({ priority, signal: controller.signal })
    if (state.isStopped) return []
    const { docs, state: outcome, total = 0 } = await merge()
    state.troubles.delete(work.name)
    const { fetchRequest } = work
    if (fetchRequest && outcome && !state.isStopped)
      await state.parts.answer({ fetchRequest, state: outcome, total })
    return docs
  } catch (error) {
    if (!(error instanceof PullAgain)) throw error
    await failed(state, read, error)
    return []
  }
}

/** Handles a read that got no usable answer of the CRM. @throws the error if not only this read is affected */
async function failed<D>(state: State<D>, read: Read<D>, error: PullAgain): Promise<void> {
  const { troubles, ticks, parts } = state
  const { gate, accepted, answer, report } = parts
  const { begunAt, acceptedBefore, work } = read
  const { name, fetchRequest } = work
  const { outcome } = error
  if (isInconclusive(outcome)) {
    // A call that the circuit rejected waits at the gate anyway.
    if (!gate.isBlocked()) gate.failed(0, begunAt)
    throw error
  }
  const previous = troubles.get(name)
  const failure = { now: ticks.now(), random: parts.random(), outcome, acceptedBefore, accepted: accepted() }
  const trouble = troubleAfter(previous, failure)
  troubles.set(name, trouble)
  if (outcome.kind === 'throttled') gate.failed(outcome.retryAfterMs, begunAt)
  else if (!trouble.isOwn) gate.failed(0, begunAt)
  if (trouble.isOwn && !previous?.isOwn)
    report(`${name}: ${'status' in outcome ? outcome.status : outcome.kind}`)
  if (!state.isStopped) {
    // Without any answer of the CRM a later try may still succeed, so the screen goes on waiting.
    if (fetchRequest && outcome.kind === 'unknown') await answer({ fetchRequest, state: 'failed', total: 0 })
    await work.failed?.(outcome, trouble.tries)
  }
  if (!trouble.isOwn) throw error
}

/** True if the session or the circuit stopped the call, so that the read itself has not failed. */
const isInconclusive = (outcome: Outcome) =>
  outcome.kind === 'unauthorized' || (outcome.kind === 'unreachable' && outcome.held === true)

/** Returns the handler that RxDB calls. */
function createHandler<D>(state: State<D>, { plan, expired }: PullAdapter<D>): () => Promise<D[]> {
  const { parts, troubles, ready, isDue$, ticks } = state
  const { gate, inFlight, stop$, wake } = parts
  const retryIn$ = new Subject<number>()
  const retry$ = retryIn$.pipe(switchMap((ms) => ticks.after$(ms)))
  retry$.pipe(takeUntil(stop$)).subscribe(wake)
  const changed = () => firstValueFrom(isDue$.pipe(filter(Boolean)))
  /** The wait at the gate, which may last longer than one call of RxDB. */
  let passing: Promise<readonly D[]> | null = null

  /** @returns documents that expired while the gate was closed; null if the gate is still closed and a plan is due */
  async function passed(): Promise<readonly D[] | null> {
    passing ??= passedOr(gate, () => inFlight.run(expired))
    // Prevents an unhandled rejection while no call of RxDB waits.
    passing.catch(() => undefined)
    let isOver = true
    try {
      const docs = await Promise.race([passing, changed().then(() => null)])
      isOver = docs !== null
      return docs
    } finally {
      if (isOver) passing = null
    }
  }
  async function planned(): Promise<readonly D[] | null> {
    isDue$.next(false)
    const docs = await inFlight.run(() => plan(!state.isGateClosed))
    const waits = [...troubles.values()].filter((trouble) => isWaiting(trouble, ticks.now()))
    // A timer may fire slightly early. Then the next plan sets it again.
    if (waits.length > 0)
      retryIn$.next(Math.min(...waits.map(({ notBefore }) => notBefore)) + 1 - ticks.now())
    return docs
  }
  async function answer(): Promise<D[]> {
    state.isGateClosed = false
    while (!state.isStopped) {
      const arrived = ready.take()
      if (arrived.length > 0) return arrived
      // The next plan at the open gate covers all changes until then.
      if (!state.isGateClosed) isDue$.next(false)
      const removed = await passed()
      if (state.isStopped) break
      if (removed && removed.length > 0) return [...removed]
      state.isGateClosed = removed === null
      const docs = await planned()
      if (docs && docs.length > 0) return [...docs]
      const isOver = !state.isGateClosed && docs === null && !ready.isAny() && !isDue$.value
      if (isOver && !isBusy(state)) return inFlight.run(expired)
      if (isOver) await changed()
    }
    throw new GateClosed('sync stopped')
  }
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(answer, answer)
    last = next
    return next
  }
}
