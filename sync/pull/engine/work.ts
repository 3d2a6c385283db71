/** The reads that a resource offers to the pull engine (`engine.ts`), and the services that the engine uses. */
import type { Observable } from 'rxjs'
import type { InFlight } from '#sync/changes/replications.ts'
import type { Ticks } from '#sync/lib/backoff.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { PullApi } from '#sync/scheduler/api.ts'
import type { Pacer } from '#sync/scheduler/prefetch.ts'
import { PLACES } from '#sync/scheduler/schedule.ts'
import type { PullGate, ReadOptions } from '#sync/scheduler/scheduler.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { FetchAnswer, FetchRequestId } from '#sync/storage/fetch-requests.ts'
import type { Outcome } from '#sync/transport/outcome.ts'

/** What a read brings: documents for RxDB, and the answer to its fetch request; no answer if it is given later. */
export type Merged<D> = Partial<Pick<FetchAnswer, 'state' | 'total'>> & { docs: readonly D[] }

/** Merges what was read with the device's current state. */
export type Merge<D> = () => Promise<Merged<D>>

export const answerOnly =
  (state: FetchAnswer['state']): Merge<never> =>
  async () => ({ docs: [], state })

/** Maximum number of reads of a resource that run at once. A `local` read makes no call. */
export const LANES = { screen: Infinity, window: PLACES.window, background: PLACES.background, local: 20 }

export interface Work<D> {
  /** Identifies the read and its back-off. Only one read of a name runs at a time. */
  name: string
  /** A read for a `screen` may begin once while the gate is closed (PL8). Nobody waits for `background` and `local`. */
  priority: keyof typeof LANES
  /** True if the read only confirms local data, and so is subject to the rate limit (PL10). */
  isPaced?: boolean
  /** Name of the background read that this read replaces. */
  replaces?: string
  /** The screen's fetch request that the read answers. */
  fetchRequest?: FetchRequestId | undefined
  /** @throws PullAgain if the CRM could not be read */
  read(options: Required<ReadOptions>): Promise<Merge<D>>
  /** Called after each failure, before this read counts as ended. */
  failed?(outcome: Outcome, tries: number): Promise<unknown>
}

export interface EngineParts {
  gate: PullGate
  /** Returns how many calls the CRM has accepted. */
  accepted: () => number
  random: () => number
  report: (problem: string) => void
  /** Makes RxDB call the handler, because something may be tried again. */
  wake: () => void
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  pacer: Pick<Pacer, 'grant'>
  answer: (answer: FetchAnswer) => Promise<void>
}

export interface PullServices extends EngineParts {
  db: SyncDatabase
  api: PullApi
  clock: PullClock
  pacer: Pick<Pacer, 'grant' | 'pauseStartedAt'>
}

export interface PullAdapter<D> {
  /**
   * Offers the reads that may begin, most urgent first; only those of a screen begin unless the gate `isOpen`.
   * @returns documents that need no call; null if nothing is left to plan, [] if it must be planned again
   */
  plan: (isOpen: boolean) => Promise<readonly D[] | null>
  /** Removals that need no call (RULES EX1). Called while no read is running, or while the gate is closed. */
  expired: () => Promise<D[]>
}
