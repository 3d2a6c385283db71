/**
 * The pull engine: runs the effects of its step function (`engine-step.ts`, decisions/pull). RxDB calls
 * `handler` again and again; it never waits for one particular read (RULES PL9). Each resource provides its
 * plan, its lanes and its expired records.
 */
import type { Snapshot } from './reconcile.ts'
import { TICKS } from '#sync/lib/ticks.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import { createEngineEffects, type Caller } from './engine-effects.ts'
import {
  freePlaces,
  hasOwnFailure,
  isBusy,
  isCovered,
  isStillTried,
  mayStart,
  startState,
  triesOf,
  type PullEvent,
} from './engine-state.ts'
import { step } from './engine-step.ts'
import type { EngineParts, PullAdapter, Work } from './engine-work.ts'
import { NO_PAGES } from './snapshot.ts'

export interface PullEngine<D> {
  handler(): Promise<D[]>
  /**
   * Offers a read.
   * @returns true if it began
   */
  offer(work: Work<D>): boolean
  /** Drops the read of this name, which is no longer needed. */
  drop(name: string): void
  /** Checks again which reads may begin. */
  ring(): void
  /** The user requests everything: all back-offs end. */
  clear(): void
  free(lane: string): number
  isBusy(): boolean
  /** True if a read of this name is running, or a screen's read that replaces it. */
  isCovered(name: string): boolean
  mayStart(name: string): boolean
  /** True if the read of this name failed although others succeed: only it waits for its next try. */
  hasOwnFailure(name: string): boolean
  /** Number of failures in a row; reads with fewer failures are offered first. */
  triesOf(name: string): number
  isStillTried(name: string): boolean
  /** The pages of a snapshot so far. */
  snapshotOf(name: string): Snapshot
}

/** Creates the engine of one resource. */
export function createPullEngine<D>(parts: EngineParts, adapter: PullAdapter<D>): PullEngine<D> {
  const { accepted, stop$, ticks = TICKS } = parts
  let state = startState<D>(adapter.lanes)
  const callers: Caller<D>[] = []
  const effects = createEngineEffects<D>(parts, adapter, {
    dispatch: (event) => dispatch(event),
    answerCaller(end) {
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
    free: (lane) => freePlaces(state, lane),
    isBusy: () => isBusy(state),
    isCovered: (name) => isCovered(state, name),
    mayStart: (name) => mayStart(state, name, ticks.now()),
    hasOwnFailure: (name) => hasOwnFailure(state, name),
    triesOf: (name) => triesOf(state, name),
    isStillTried: (name) => isStillTried(state, name),
    snapshotOf: (name) => state.snapshots.get(name) ?? NO_PAGES,
  }
}
