/**
 * The interface between `attempt.ts`, which has the steps of sending, and the two kinds of item that are sent: changes
 * of records (`send-change.ts`) and acts of photos (`photos/photo-acts.ts`).
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { FactsOf, SendStates, StateFacts } from './send-states.ts'
import type { LateChecks, Faults } from './failure-attribution.ts'

/**
 * How a run of the queue ended, or one item in it. `unclear`: the answer may be the fault of this item alone (RULES
 * OC8).
 */
export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome; unclear?: boolean }

/** `more`: a step was settled, and a later save of the same item may be due now. */
export type AttemptEnd = Step | { kind: 'more' }

export const DONE = { kind: 'done' } as const

/** The services that every attempt uses while it has its lock. */
export interface Sending {
  states: SendStates
  /** Epoch ms of the trusted clock (RULES EX3). */
  now: () => number
  userId: string
  faults: Faults
  readBacks: LateChecks
  /** Starts another run of the queue after this many milliseconds. */
  wake: (ms: number) => void
  lease?: Lease | undefined
}

/** An item about to be sent, as it is on disk now. */
export interface Job {
  item: QueueItem
}

/** The result of a read-back. @template M what the CRM or the file store has created */
export type ReadBack<M> =
  | { kind: 'there'; made: M }
  /** For an edit, `etag` is the strong ETag of the state that the edit was merged with, if the CRM sends one. */
  | { kind: 'absent'; etag?: string | undefined }
  | { kind: 'failed'; outcome: Outcome }
  /** Nothing remains to be sent. */
  | { kind: 'ended'; step: AttemptEnd }

export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>

/** How a call ended. `messages`: texts of the CRM that are shown to the user (spec 8). */
export type Sent<M> = { kind: 'made'; made: M; messages?: string[] } | NotAccepted

/** Ends an item as 失敗 or 期限切れ: the app no longer sends it by itself. */
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
      facts?: FactsOf
      send(lease: Lease | undefined): Promise<Sent<M>>
    }
  | Parking
  /** A required earlier step, such as making a folder, failed. */
  | { kind: 'failed'; outcome: NotAccepted }
  /** The state has changed since the read-back: the job must be loaded again. */
  | { kind: 'more' }
  | { kind: 'done' }

/** The operations that differ between records and photos. */
export interface SendAdapter<J extends Job, M> {
  work: Sending
  /** True if the CRM could apply a late call in addition to a new one, so the job is read back twice (RULES OC9). */
  needsSecondReadBack(job: J): boolean
  readBack(job: J): Promise<ReadBack<M>>
  /**
   * Returns what prevents sending, regardless of the item's age; null if nothing does. Only an item that nothing blocks
   * can become 期限切れ.
   */
  findBlocker?(job: J): Promise<Plan<J, M> | null>
  plan(job: J, readBack: { etag?: string | undefined }): Promise<Plan<J, M>>
  /** Reads back after a refusal: the CRM may have applied an earlier call. Absent if that cannot be. */
  readBackAfterRefusal?(job: J): Promise<ReadBack<M>>
  /** A call for several jobs failed, and any of them may be at fault: from now on each is sent alone (RULES OR3). */
  sendIndividually?(jobs: readonly J[]): void
  /** True if too many changes in a row were refused without a reason (RULES OC7). */
  isSharedFailure?(items: QueueItem[]): Promise<boolean>
  /** Facts that are stored in the same write as the acceptance. */
  acceptedFacts?(job: J, made: M): StateFacts
  /** Runs after the acceptance was stored. @returns `more` if the item may need another attempt */
  settle?(job: J, made: M): Promise<AttemptEnd>
}
