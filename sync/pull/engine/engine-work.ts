/**
 * What the pull engine works with: a resource's plan, lanes and reads, and the app's services
 * (decisions/pull).
 */
import type { Observable } from 'rxjs'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullGate } from '#sync/scheduler/gate.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { QuestionAnswer, Lanes, MergeHow, Task } from './engine-state.ts'
import type { Pacer } from '#sync/scheduler/prefetch-rate-limit.ts'
import type { Page } from './snapshot.ts'

/** Result of a merge: documents for RxDB, and the question's answer if it is known already. */
export interface Merged<D> {
  docs: readonly D[]
  answer?: QuestionAnswer | undefined
}

/** Result of a read: its page, and how to merge it with the device's current state. */
export interface Reading<D> {
  page?: Page | undefined
  merge(how: MergeHow): Promise<Merged<D>>
}

/** A task, and how to do it. */
export interface Work<D> extends Task {
  /** @throws PullAgain if the CRM could not be read */
  read(signal: AbortSignal): Promise<Reading<D>>
  /**
   * Called after each failure, last of all, so that code which then searches for the next read finds this one
   * ended.
   */
  failed?(outcome: Outcome, tries: number): Promise<unknown>
}

/** The app's services for the engine. */
export interface EngineParts {
  gate: PullGate
  /** Number of calls that the CRM has accepted. */
  accepted: () => number
  random: () => number
  report: (problem: string) => void
  /** Called when something may be tried again: RxDB should call the handler. */
  wake: () => void
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  pacer?: Pick<Pacer, 'grant'>
  answer: (answer: QuestionAnswer) => Promise<void>
}

export interface PullAdapter<D> {
  /** How many reads may run at once, by lane. */
  lanes: Lanes
  /**
   * Offers the reads that may begin, most urgent first.
   * @param isOpen false if the gate is closed to all reads but those that may pass it
   * @returns documents that need no call; null if nothing is left to begin, [] if there is more
   */
  plan: (isOpen: boolean) => Promise<readonly D[] | null>
  /** Removals that need no call (RULES EX1). */
  expired: () => Promise<D[]>
}
