/**
 * The pull engine: thin effects around its step (`engine-step.ts`, decision 0063). RxDB calls `handler` one turn after
 * another; it never waits for a certain read (RULES PL9). A resource is a parameter: what it plans, its lanes, what expires.
 */
import { Subject, switchMap, takeUntil, type Observable } from 'rxjs'
import { passedOr } from '../retention/expiry.ts'
import type { InFlight } from '../runtime/in-flight.ts'
import { TICKS, type Ticks } from '../runtime/ticks.ts'
import { GateClosed, type PullGate } from '../transport/gate.ts'
import type { Outcome } from '../transport/outcome.ts'
import {
  freeIn,
  isBusy,
  isCovered,
  isStillTried,
  mayStart,
  startState,
  triesOf,
  type Answer,
  type Command,
  type Lanes,
  type MergeHow,
  type PullEvent,
  type Task,
} from './engine-state.ts'
import { saysNothingOf } from './engine-reads.ts'
import { step } from './engine-step.ts'
import type { Pacer } from './pacer.ts'
import { PullAgain } from './read-backoff.ts'
import { NO_PAGES, type Page } from './snapshot.ts'
import type { Snapshot } from '../merge/reconcile.ts'

/** What was merged: documents for RxDB, and what the question is answered with where that is known by now. */
export interface Merged<D> {
  docs: readonly D[]
  answer?: Answer | undefined
}

/** What was read: how it counts, and how it is merged with what the device holds by then. */
export interface Reading<D> {
  page?: Page | undefined
  merge(how: MergeHow): Promise<Merged<D>>
}

/** A task, and how it is done. */
export interface Work<D> extends Task {
  /** @throws PullAgain where it could not be asked */
  read(signal: AbortSignal): Promise<Reading<D>>
  /** Told of each failure, before anything waits. */
  failed?(outcome: Outcome, tries: number): Promise<unknown>
}

/** What the engine has of the app. */
export interface EngineParts {
  gate: PullGate
  /** How many calls the CRM has accepted. */
  accepted: () => number
  random: () => number
  report: (problem: string) => void
  /** Something may be tried again: the handler is to be called. */
  wake: () => void
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  pacer?: Pick<Pacer, 'grant'>
  answer: (answer: Answer) => Promise<void>
}

export interface PullAdapter<D> {
  /** Of each kind of read, how many at once. */
  lanes: Lanes
  /** See `PullState`. */
  stays?: boolean | undefined
  /**
   * Offers what may begin, most urgent first.
   * @param isOpen false: the gate is closed for all but what it lets through
   * @returns what is there without a call; null where nothing is left to begin, [] where there is more
   */
  plan: (isOpen: boolean) => Promise<readonly D[] | null>
  /** Removals that need no call (RULES EX1). */
  expired: () => Promise<D[]>
}

export interface PullEngine<D> {
  handler(): Promise<D[]>
  /** @returns whether the read began */
  offer(work: Work<D>): boolean
  /** Nobody wants what is known by this name any more. */
  drop(name: string): void
  /** There may be something else to begin. */
  ring(): void
  /** Somebody asks for everything: no back-off holds. */
  clear(): void
  free(lane: string): number
  isBusy(): boolean
  /** It is being read, or a screen has it read instead. */
  isCovered(name: string): boolean
  mayStart(name: string): boolean
  /** It failed before: what did not goes first. */
  isDoubtful(name: string): boolean
  triesOf(name: string): number
  isStillTried(name: string): boolean
  /** The pages of a snapshot so far. */
  snapshotOf(name: string): Snapshot
}

interface Caller<D> {
  resolve(docs: D[]): void
  reject(error: unknown): void
}

export function createPullEngine<D>(parts: EngineParts, adapter: PullAdapter<D>): PullEngine<D> {
  const { accepted, stop$, ticks = TICKS } = parts
  let state = startState<D>(adapter.lanes, adapter.stays)
  const callers: Caller<D>[] = []
  const effects = createEffects(parts, adapter, {
    tell: (event) => dispatch(event),
    ended(end) {
      const caller = callers.shift()
      end(caller)
      if (callers.length > 0) dispatch({ kind: 'called' })
    },
  })
  function dispatch(event: PullEvent<D>): void {
    const next = step(state, event)
    state = next.state
    for (const command of next.commands) effects.run(command)
  }
  const moment = () => ({ now: ticks.now(), accepted: accepted() })
  stop$.subscribe(() => {
    dispatch({ kind: 'stopped' })
    for (const { reject } of callers.splice(0)) reject(new GateClosed('sync stopped'))
  })
  return {
    handler: () =>
      new Promise((resolve, reject) => {
        if (state.phase === 'stopped') return reject(new GateClosed('sync stopped'))
        callers.push({ resolve, reject })
        if (callers.length === 1) dispatch({ kind: 'called' })
      }),
    offer(work) {
      const before = state.lastId
      effects.offered(work, () => dispatch({ kind: 'offered', task: work, ...moment() }))
      return state.lastId > before
    },
    drop: (name) => dispatch({ kind: 'dropped', name }),
    ring: () => dispatch({ kind: 'rung' }),
    clear: () => dispatch({ kind: 'cleared' }),
    free: (lane) => freeIn(state, lane),
    isBusy: () => isBusy(state),
    isCovered: (name) => isCovered(state, name),
    mayStart: (name) => mayStart(state, name, ticks.now()),
    isDoubtful: (name) => triesOf(state, name) > 0,
    triesOf: (name) => triesOf(state, name),
    isStillTried: (name) => isStillTried(state, name),
    snapshotOf: (name) => state.snapshots.get(name) ?? NO_PAGES,
  }
}

/** How the effects speak to the engine. */
interface Engine<D> {
  tell(event: PullEvent<D>): void
  /** RxDB is answered. */
  ended(end: (caller: Caller<D> | undefined) => void): void
}

function createEffects<D>(parts: EngineParts, adapter: PullAdapter<D>, engine: Engine<D>) {
  const { gate, pacer, inFlight, report, wake, stop$, ticks = TICKS } = parts
  const { tell } = engine
  const reads = createReads(parts, tell)
  const wake$ = new Subject<number>()
  wake$
    .pipe(
      switchMap((at) => ticks.after$(Math.max(0, at - ticks.now()))),
      takeUntil(stop$),
    )
    .subscribe(wake)

  function run(command: Command<D>): void {
    switch (command.kind) {
      case 'pass':
        return heard(
          passedOr(gate, () => inFlight.run(adapter.expired)),
          {
            ok: (gone) => ({ kind: 'passed', gone }),
            broke: (error) => ({ kind: 'gateBroke', error }),
          },
        )
      case 'plan':
        return heard(
          inFlight.run(() => adapter.plan(command.isOpen)),
          {
            ok: (docs) => ({ kind: 'planned', docs }),
            broke: (error) => ({ kind: 'planBroke', error }),
          },
        )
      case 'ask': {
        const isLet = command.of === 'hurry' ? gate.mayHurry() : !pacer || pacer.grant(1) > 0
        if (isLet) tell({ kind: 'granted', task: command.task, now: ticks.now(), accepted: parts.accepted() })
        return
      }
      case 'report':
        return report(command.problem)
      case 'close':
        return gate.failed(command.retryAfterMs, command.begunAt)
      case 'wake':
        return wake$.next(command.at)
      case 'give':
        return engine.ended((caller) => caller?.resolve([...command.docs]))
      case 'throw':
        return engine.ended((caller) => caller?.reject(command.error))
      default:
        return reads.run(command)
    }
  }
  interface Ends<T> {
    ok(value: T): PullEvent<D>
    broke(error: unknown): PullEvent<D>
  }
  const heard = <T>(end: Promise<T>, { ok, broke }: Ends<T>): void =>
    void end.then(
      (value) => tell(ok(value)),
      (error: unknown) => tell(broke(error)),
    )
  return { run, offered: reads.offered }
}

type ReadCommand = Extract<
  Command<never>,
  { kind: 'read' | 'abort' | 'merge' | 'answer' | 'tell' | 'forget' }
>

/** The effects of reads: each from its begin until its documents are there, or its failure is told. */
function createReads<D>(parts: EngineParts, tell: (event: PullEvent<D>) => void) {
  const { gate, accepted, random, inFlight, answer, ticks = TICKS } = parts
  interface Running {
    work: Work<D>
    controller: AbortController
    reading?: Reading<D>
  }
  const running = new Map<number, Running>()
  let offering: Work<D> | null = null

  /** Stopping waits for each of these. */
  function go(id: number, doing: (one: Running) => Promise<PullEvent<D>>): void {
    const one = running.get(id)
    if (!one) return
    const failed = (error: unknown): PullEvent<D> => {
      if (!(error instanceof PullAgain)) return { kind: 'broke', id, error }
      const { outcome } = error
      const now = ticks.now()
      const isHeld = gate.isHeld()
      const chance = saysNothingOf(outcome) ? 0 : random()
      return { kind: 'failed', id, outcome, error, isHeld, random: chance, now, accepted: accepted() }
    }
    void inFlight.run(() => doing(one).catch(failed).then(tell))
  }

  function run(command: ReadCommand): void {
    const { id } = command
    switch (command.kind) {
      case 'read':
        if (offering) running.set(id, { work: offering, controller: new AbortController() })
        return go(id, async (one) => {
          one.reading = await one.work.read(one.controller.signal)
          return { kind: 'read', id, page: one.reading.page }
        })
      case 'abort':
        return running.get(id)?.controller.abort()
      case 'forget':
        return void running.delete(id)
      case 'merge':
        return go(id, async ({ reading }) => {
          const merged = await reading?.merge(command.how)
          return { kind: 'merged', id, docs: merged?.docs ?? [], answer: merged?.answer }
        })
      case 'answer':
        return go(id, async () => {
          await answer(command.answer)
          return { kind: 'ended', id }
        })
      case 'tell':
        return go(id, async ({ work }) => {
          await work.failed?.(command.outcome, command.tries)
          if (command.answer) await answer(command.answer)
          return { kind: 'ended', id }
        })
    }
  }
  return {
    run,
    /** What is offered, while the engine decides. */
    offered(work: Work<D>, decide: () => void) {
      offering = work
      decide()
      offering = null
    },
  }
}
