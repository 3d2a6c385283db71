/**
 * What the pull engine works with: a resource's plan, lanes and reads, and the app's services
 * (decisions/pull).
 */
import type { Observable } from 'rxjs'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { QuestionAnswer, Lanes, MergeHow, Task } from './engine-state.ts'
import type { Pacer } from '#sync/scheduler/prefetch.ts'
import type { Page } from './snapshot.ts'

/** Result of a merge: documents for RxDB, and the answer to the screen's question if it is known already. */
export interface Merged<D> {
  docs: readonly D[]
  answer?: QuestionAnswer | undefined
}

/** Result of a read: its page, and how to merge it with the device's current state. */
export interface Reading<D> {
  page?: Page | undefined
  merge(how: MergeHow): Promise<Merged<D>>
}

/** A read that can be offered to the engine. */
export interface Work<D> extends Task {
  /** @throws PullAgain if the CRM could not be read */
  read(signal: AbortSignal): Promise<Reading<D>>
  /** Called after each failure, when this read counts as ended, so that the next one may begin. */
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
   * @param isOpen false while the gate is closed: only a screen's reads may begin
   * @returns documents that need no call; null if nothing is left to plan, [] if it must be planned again
   */
  plan: (isOpen: boolean) => Promise<readonly D[] | null>
  /** Removals that need no call (RULES EX1). */
  expired: () => Promise<D[]>
}
