/** The interface between the sender and what it sends: changes of records (`sender.ts`), photos (`photos/send-photo.ts`). */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Step } from './send-queue.ts'
import type { SendStates, StateFacts } from './send-states.ts'
import type { LateChecks, Faults } from './failure-attribution.ts'

/** The services that every attempt uses while it has its lock. */
export interface Sending {
  states: SendStates
  /** Epoch ms of the trusted clock (RULES EX3). */
  now: () => number
  userId: string
  faults: Faults
  readBacks: LateChecks
  lease?: Lease | undefined
}

/** An item about to be sent, as it is on disk now. */
export interface Job {
  item: QueueItem
}

/** `more`: a step was settled, and a later save of the same item may be due now. */
export type AttemptEnd = Step | { kind: 'more' }

/** The result of a read-back. @template M what the CRM or the file store has created */
export type ReadBack<M> =
  | { kind: 'there'; made: M }
  /** Not there. For an edit, `etag` is the strong ETag of the state it was merged with, if the CRM sends one. */
  | { kind: 'absent'; etag?: string | undefined }
  | { kind: 'failed'; outcome: Outcome }
  /** Nothing remains to be sent. */
  | { kind: 'ended'; step: AttemptEnd }

export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>

/** How a call ended. */
export type Sent<M> =
  /** `messages`: texts of the CRM that are shown to the user (spec 8). */
  { kind: 'made'; made: M; messages?: string[] } | NotAccepted

/** Ends an item as 失敗 or 期限切れ: it is no longer sent automatically. */
export interface Parking {
  kind: 'park'
  as: 'refused' | 'expired'
  reasons: string[]
  status?: number | undefined
}

export type Plan<J, M> =
  /** One call for several jobs. `facts`: what is written for each item before the call leaves. */
  | {
      kind: 'call'
      jobs: J[]
      payload: string
      facts?: (item: QueueItem) => StateFacts
      send(lease: Lease | undefined): Promise<Sent<M>>
    }
  | Parking
  /** A required earlier step, such as making a folder, failed. */
  | { kind: 'failed'; outcome: NotAccepted }
  /** The state has changed since the read-back: the job must be loaded again. */
  | { kind: 'more' }
  | { kind: 'done' }

/** The operations that differ between records and photos. */
export interface SendAdapter<J extends Job, M extends { id: string }> {
  /** Loads the job that is due; returns a step if none is. */
  load(): Promise<{ kind: 'due'; job: J } | AttemptEnd>
  /** True if an earlier call may have arrived, so the job is read back before anything else. */
  isInDoubt(job: J): boolean
  /** True if a late call would create a duplicate, so the job is read back twice (RULES OC9). */
  needsSecondReadBack(job: J): boolean
  readBack(job: J): Promise<ReadBack<M>>
  /** Starts another run of the queue after this many milliseconds. */
  wake(job: J, ms: number): void
  /**
   * Returns what prevents sending, regardless of the item's age; null if nothing does. Only an item that nothing blocks
   * can become 期限切れ.
   */
  findBlocker?(job: J): Promise<Plan<J, M> | null>
  plan(job: J, readBack: { etag?: string | undefined }): Promise<Plan<J, M>>
  /** Reads back after a refusal: an earlier call may have been applied. */
  readBackAfterRefusal(job: J): Promise<ReadBack<M>>
  /** A call for several jobs failed, and any of them may be at fault: from now on each is sent alone (RULES OR3). */
  sendIndividually?(jobs: readonly J[]): void
  /** True if too many changes in a row were refused without a reason (RULES OC7). */
  isSharedFailure?(items: QueueItem[]): Promise<boolean>
  /** Facts that are stored in the same write as the acceptance. */
  acceptedFacts?(job: J, made: M): StateFacts
  settle(job: J, made: M): Promise<AttemptEnd>
}
