/**
 * The interface between `attempt.ts`, which has the steps of sending, and the two kinds of items: changes of records
 * (`send-change.ts`) and uploads, renames and deletions of photos (`photos/send-photo.ts`).
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { FactsOf, SendStates, StateFacts } from './send-states.ts'
import type { LateChecks, Faults } from './failure-attribution.ts'

/**
 * How the sending of the queue, or of one item, ended. `blocked`: a call got no usable answer. `unclear`: the answer
 * may be the fault of this item and not of the CRM (RULES OC8).
 */
export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome; unclear?: boolean }

/** `more`: the item needs another attempt at once. */
export type AttemptEnd = Step | { kind: 'more' }

export const DONE = { kind: 'done' } as const

export interface Sending {
  states: SendStates
  /** Epoch milliseconds of the trusted clock (RULES EX3). */
  now: () => number
  userId: string
  faults: Faults
  readBacks: LateChecks
  /** Sends the queue again after this many milliseconds. */
  wake: (ms: number) => void
  lease?: Lease | undefined
}

export interface Job {
  item: QueueItem
}

/**
 * The result of a read-back, which reads whether an earlier call has arrived. `made`: what that call has created or
 * changed.
 */
export type ReadBack<M> =
  | { kind: 'there'; made: M }
  /** `etag`: the strong ETag of the state that an edit was merged with, if the CRM sends one. */
  | { kind: 'absent'; etag?: string | undefined }
  | { kind: 'failed'; outcome: Outcome }
  /** The read-back has ended the item, so it needs no call. `step` is the result of the attempt. */
  | { kind: 'ended'; step: AttemptEnd }

export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>

/** The result of a call. `messages`: texts of the CRM that are shown to the user (spec 8). */
export type Sent<M> = { kind: 'made'; made: M; messages?: string[] } | NotAccepted

/** The end of an item as 失敗 or 期限切れ. Only the user can send the item again. */
export interface Parking {
  kind: 'park'
  as: 'refused' | 'expired'
  reasons: string[]
  status?: number | undefined
}

export type Plan<J, M> =
  /** One call for several jobs. `facts` are stored with the state `sending`, before the call leaves. */
  | {
      kind: 'call'
      jobs: J[]
      payload: string
      facts?: FactsOf
      send(lease: Lease | undefined): Promise<Sent<M>>
    }
  | Parking
  /** An earlier step that the call needs, such as creating a folder, failed. */
  | { kind: 'failed'; outcome: NotAccepted }
  /** The item has changed since the read-back and must be loaded again. */
  | { kind: 'more' }
  | { kind: 'done' }

export interface SendAdapter<J extends Job, M> {
  work: Sending
  /**
   * True if a late call could take effect in addition to a new one, so that two read-backs are needed (RULES OC9).
   */
  needsSecondReadBack(job: J): boolean
  readBack(job: J): Promise<ReadBack<M>>
  /**
   * Returns what prevents sending, such as a record that the CRM does not have yet; null if nothing does. An item
   * that is prevented from being sent does not become 期限切れ.
   */
  findBlocker?(job: J): Promise<Plan<J, M> | null>
  plan(job: J, readBack: { etag?: string | undefined }): Promise<Plan<J, M>>
  /** Reads back after a refusal, because the CRM may have applied an earlier call. */
  readBackAfterRefusal?(job: J): Promise<ReadBack<M>>
  /** Called when a call for several jobs failed: each job is sent in its own call from then on (RULES OR3). */
  sendIndividually?(jobs: readonly J[]): void
  /** True if many changes in a row were refused without a reason, so that the CRM is at fault (RULES OC7). */
  isSharedFailure?(items: QueueItem[]): Promise<boolean>
  /** Values to store in the write that marks the item as accepted. */
  acceptedFacts?(job: J, made: M): StateFacts
  /** Called after the acceptance was stored. @returns `more` if the item needs another attempt */
  settle?(job: J, made: M): Promise<AttemptEnd>
}
