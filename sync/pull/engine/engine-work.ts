/**
 * What the pull engine is given: a resource with its plan and lanes, its works, and the app's devices (decisions/pull).
 */
import type { Observable } from 'rxjs'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullGate } from '#sync/scheduler/gate.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { QuestionAnswer, Lanes, MergeHow, Task } from './engine-state.ts'
import type { Pacer } from '#sync/scheduler/prefetch-rate-limit.ts'
import type { Page } from './snapshot.ts'

/** What was merged: documents for RxDB, and what the question is answered with where that is known by now. */
export interface Merged<D> {
  docs: readonly D[]
  answer?: QuestionAnswer | undefined
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
  /** Told of each failure, last of all: what looks for something to read finds this one at its end. */
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
  answer: (answer: QuestionAnswer) => Promise<void>
}

export interface PullAdapter<D> {
  /** Of each kind of read, how many at once. */
  lanes: Lanes
  /**
   * Offers what may begin, most urgent first.
   * @param isOpen false: the gate is closed for all but what it lets through
   * @returns what is there without a call; null where nothing is left to begin, [] where there is more
   */
  plan: (isOpen: boolean) => Promise<readonly D[] | null>
  /** Removals that need no call (RULES EX1). */
  expired: () => Promise<D[]>
}
