/**
 * The pull engine reads records from the CRM: `engine-step.ts` decides what to do next, and this file does it
 * (decisions/pull). RxDB calls `handler` repeatedly. A call returns what has arrived and waits for no particular
 * read, so that a slow read delays no other (RULES PL9). Each resource determines what to read (plan), how many reads
 * run at once (lanes) and which records to remove (expired).
 */
import { Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import type { InFlight } from '#sync/lib/in-flight.ts'
import { TICKS, type Ticks } from '#sync/lib/ticks.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { passedOr } from '#sync/retention/expiry.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import { GateClosed, type PullGate } from '#sync/scheduler/scheduler.ts'
import type { Pacer } from '#sync/scheduler/prefetch.ts'
import { PullAgain } from '#sync/scheduler/read-backoff.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { FetchAnswer } from '#sync/storage/fetch-requests.ts'
import {
  admissionOf,
  freePlaces,
  hasOwnFailure,
  isBusy,
  isCovered,
  isStillTried,
  mayStart,
  startState,
  triesOf,
  type Command,
  type Lanes,
  type PullEvent,
  type PullState,
  type Task,
} from './engine-state.ts'
import { isInconclusive, step } from './engine-step.ts'
import { mergeHow, NO_PAGES, type MergeHow, type Page } from './snapshot.ts'

/** Result of a merge: documents for RxDB, and the answer to the screen's fetch request if it is known by now. */
export interface Merged<D> {
  docs: readonly D[]
  answer?: FetchAnswer | undefined
}

/** Result of a read: its page, and how to merge it with the device's current state. */
export interface Reading<D> {
  page?: Page | undefined
  merge(how: MergeHow): Promise<Merged<D>>
}

/** The result of a read that brings no documents: only the answer to the fetch request, if a screen waits. */
export const answerOnly = (
  fetchRequest: FetchAnswer['fetchRequest'] | undefined,
  state: FetchAnswer['state'],
): Reading<never> => ({
  merge: async () => ({ docs: [], answer: fetchRequest && { fetchRequest, state, total: 0 } }),
})

/** A read, as it is offered to the engine. */
export interface Work<D> extends Task {
  /**
   * Reads from the CRM.
   * @throws PullAgain if the CRM could not be read
   */
  read(signal: AbortSignal): Promise<Reading<D>>
  /** Called after each failure, before this read counts as ended. */
  failed?(outcome: Outcome, tries: number): Promise<unknown>
}

/** The app's services that the engine uses. */
export interface EngineParts {
  gate: PullGate
  /** Number of calls that the CRM has accepted. */
  accepted: () => number
  random: () => number
  /** Called with what could not be read, for the error log. */
  report: (problem: string) => void
  /** Called when something may be tried again: RxDB should call the handler. */
  wake: () => void
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  pacer?: Pick<Pacer, 'grant'>
  /** Stores the answer to a screen's fetch request. */
  answer: (answer: FetchAnswer) => Promise<void>
}

/** The app's services for each pull. */
export interface PullServices extends EngineParts {
  db: SyncDatabase
  api: PullApi
  clock: PullClock
  pacer: Pick<Pacer, 'grant' | 'pauseStartedAt'>
}

interface PullAdapter<D> {
  lanes: Lanes
  /**
   * Offers the reads that may begin, most urgent first.
   * @param isOpen false while the gate is closed: only a screen's reads may begin
   * @returns documents that need no call; null if nothing is left to plan, [] if it must be planned again
   */
  plan: (isOpen: boolean) => Promise<readonly D[] | null>
  /** Removals that need no call (RULES EX1). */
  expired: () => Promise<D[]>
}

export type PullEngine<D> = ReturnType<typeof createPullEngine<D>>

/** How long documents of background reads are collected, so that RxDB writes the documents of several reads at once. */
const GATHER_MS = 1_000

/**
 * Creates a timer that runs a function. A browser's timer may fire slightly early, when nothing is due yet; then this
 * timer waits for the rest.
 * @returns a function that sets the timer, to a time on the clock of `ticks`
 */
function createTimer(ticks: Ticks, stop$: Observable<unknown>, run: () => void): (at: number) => void {
  const at$ = new Subject<number>()
  const dueAt$ = (at: number): Observable<unknown> =>
    ticks.after$(Math.max(0, at - ticks.now())).pipe(switchMap(() => (ticks.now() < at ? dueAt$(at) : [at])))
  at$.pipe(switchMap(dueAt$), takeUntil(stop$)).subscribe(run)
  return (at) => at$.next(at)
}

/** A call of RxDB that waits for documents. */
interface Caller<D> {
  resolve(docs: D[]): void
  reject(error: unknown): void
}

/** The engine, for the functions of this file that carry out its commands. */
interface Core<D> {
  parts: EngineParts
  state(): PullState<D>
  dispatch(event: PullEvent<D>): void
}

/** Creates the engine of one resource. */
export function createPullEngine<D>(parts: EngineParts, adapter: PullAdapter<D>) {
  const { accepted, gate, inFlight, pacer, stop$, ticks = TICKS } = parts
  let state = startState<D>(adapter.lanes)
  const callers: Caller<D>[] = []
  const running = new Map<number, AbortController>()
  const core: Core<D> = { parts, state: () => state, dispatch }
  const run = createEffects(core, adapter, (id) => running.get(id)?.abort(), answerCaller)
  /** Ends RxDB's oldest waiting call, if one waits. */
  function answerCaller(end: (caller: Caller<D>) => void): void {
    const caller = callers.shift()
    if (caller) end(caller)
    if (callers.length > 0) dispatch({ kind: 'called' })
  }
  function dispatch(event: PullEvent<D>): void {
    const next = step(state, event)
    state = next.state
    for (const command of next.commands) run(command)
  }
  stop$.subscribe(() => {
    dispatch({ kind: 'stopped' })
    for (const { reject } of callers.splice(0)) reject(new GateClosed('sync stopped'))
  })
  return {
    handler: () =>
      new Promise<D[]>((resolve, reject) => {
        if (state.phase === 'stopped') return reject(new GateClosed('sync stopped'))
        callers.push({ resolve, reject })
        if (callers.length === 1) dispatch({ kind: 'called' })
      }),
    /** Begins a read if `admissionOf` allows it. @returns false if the read did not begin; it is not queued */
    offer(work: Work<D>): boolean {
      const admission = admissionOf(state, work, ticks.now())
      if (admission === 'no' || (admission === 'hurry' && !gate.mayHurry())) return false
      if (admission === 'pace' && pacer && pacer.grant(1) <= 0) return false
      dispatch({ kind: 'begun', task: work, now: ticks.now(), accepted: accepted() })
      const [id, controller] = [state.lastId, new AbortController()]
      running.set(id, controller)
      const end = inFlight.run(() => runRead(core, id, work, controller.signal))
      void end.then(() => running.delete(id))
      return true
    },
    /** Drops the read of this name, because nobody needs it any more. */
    drop: (name: string) => dispatch({ kind: 'dropped', name }),
    /** Checks again which reads may begin. */
    recheck: () => dispatch({ kind: 'recheck' }),
    /** The user requests everything: all back-offs end. */
    clear: () => dispatch({ kind: 'cleared' }),
    free: (lane: string) => freePlaces(state, lane),
    isBusy: () => isBusy(state),
    isCovered: (name: string) => isCovered(state, name),
    mayStart: (name: string) => mayStart(state, name, ticks.now()),
    hasOwnFailure: (name: string) => hasOwnFailure(state, name),
    triesOf: (name: string) => triesOf(state, name),
    isStillTried: (name: string) => isStillTried(state, name),
    /** The pages of a snapshot so far. */
    snapshotOf: (name: string) => state.snapshots.get(name) ?? NO_PAGES,
  }
}

/** Returns a function that carries out a command of the step function. */
function createEffects<D>(
  { parts, dispatch }: Core<D>,
  { plan, expired }: PullAdapter<D>,
  abort: (id: number) => void,
  answerCaller: (end: (caller: Caller<D>) => void) => void,
) {
  const { gate, inFlight, report, stop$, ticks = TICKS } = parts
  const wakeAt = createTimer(ticks, stop$, parts.wake)
  const gatherUntil = createTimer(ticks, stop$, () => dispatch({ kind: 'gathered' }))
  return (command: Command<D>): void => {
    switch (command.kind) {
      case 'pass':
        return void passedOr(gate, () => inFlight.run(expired)).then(
          (docs) => dispatch({ kind: 'passed', expired: docs }),
          (error: unknown) => dispatch({ kind: 'gateBroke', error }),
        )
      case 'plan':
        return void inFlight
          .run(() => plan(command.isOpen))
          .then(
            (docs) => dispatch({ kind: 'planned', docs }),
            (error: unknown) => dispatch({ kind: 'planBroke', error }),
          )
      case 'abort':
        return abort(command.id)
      case 'report':
        return report(command.problem)
      case 'close':
        return gate.failed(command.retryAfterMs, command.begunAt)
      case 'wake':
        return wakeAt(command.at)
      case 'gather':
        return gatherUntil(ticks.now() + GATHER_MS)
      case 'deliver':
        return answerCaller(({ resolve }) => resolve([...command.docs]))
      case 'throw':
        return answerCaller(({ reject }) => reject(command.error))
    }
  }
}

/** Reads, merges, and answers the screen's fetch request. Stopping the sync waits for the end of this function. */
async function runRead<D>(core: Core<D>, id: number, work: Work<D>, signal: AbortSignal): Promise<void> {
  const { parts, state, dispatch } = core
  const isStopped = () => state().phase === 'stopped'
  try {
    const { page, merge } = await work.read(signal)
    if (isStopped()) return
    const how = mergeHow(state().snapshots.get(work.name) ?? NO_PAGES, page)
    const { docs, answer } = await merge(how)
    dispatch({ kind: 'merged', id, docs, snapshot: how.isLast ? undefined : how.snapshot })
    if (answer && !isStopped()) await parts.answer(answer)
    dispatch({ kind: 'ended', id })
  } catch (error) {
    if (error instanceof PullAgain) await reportFailure(core, id, work, error)
    else dispatch({ kind: 'ended', id, error })
  }
}

/** Handles a read that failed because the CRM gave no usable answer. Afterwards the read has ended. */
async function reportFailure<D>(core: Core<D>, id: number, work: Work<D>, error: PullAgain): Promise<void> {
  const { parts, state, dispatch } = core
  const { gate, accepted, answer, ticks = TICKS } = parts
  const { outcome } = error
  const random = isInconclusive(outcome) ? 0 : parts.random()
  const moment = { now: ticks.now(), accepted: accepted() }
  dispatch({ kind: 'failed', id, outcome, error, isBlocked: gate.isBlocked(), random, ...moment })
  if (isInconclusive(outcome) || state().phase === 'stopped') return
  const tries = triesOf(state(), work.name)
  try {
    const { fetchRequest } = work
    // Without any answer of the CRM a later try may still succeed, so the screen goes on waiting.
    if (fetchRequest && outcome.kind === 'unknown') await answer({ fetchRequest, state: 'failed', total: 0 })
    await work.failed?.(outcome, tries)
    dispatch({ kind: 'ended', id })
  } catch (failure) {
    dispatch({ kind: 'ended', id, error: failure })
  }
}
