/** What the sender asks of a resource that travels: changes of records (`sender.ts`), photos (`photos/send-photo.ts`). */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { Step } from './send-queue.ts'
import type { SendStates, StateFacts } from './send-states.ts'
import type { Faults } from './failure-attribution.ts'
import type { LateChecks } from './late-arrival-check.ts'

/** What every attempt works with, within the hold of a lock. */
export interface Sending {
  states: SendStates
  /** Epoch ms, as far as it is borne out (RULES EX3). */
  now: () => number
  userId: string
  faults: Faults
  looks: LateChecks
  hold?: Lease | undefined
}

/** What is about to be sent, as it is on disk now. */
export interface Job {
  item: QueueItem
}

/** `more`: something was settled, and what was saved of the same meanwhile may be due. */
export type AttemptEnd = Step | { kind: 'more' }

/** Whether it is there already. @template M what the CRM or the file store has made */
export type ReadBack<M> =
  | { kind: 'there'; made: M }
  /** It is not; of an edit, it was laid over what is, whose strong ETag this is where the CRM gives one. */
  | { kind: 'absent'; etag?: string | undefined }
  | { kind: 'failed'; outcome: Outcome }
  /** There is nothing more to send. */
  | { kind: 'ended'; step: AttemptEnd }

export type NotAccepted = Exclude<Outcome, { kind: 'accepted' }>

/** How a call ended. */
export type Sent<M> =
  /** `said`: what the CRM has to say of it for the user (spec 8). */
  { kind: 'made'; made: M; said?: string[] } | NotAccepted

/** It is no longer sent by itself. */
export interface Parking {
  kind: 'park'
  as: 'refused' | 'expired'
  reasons: string[]
  status?: number | undefined
}

export type Plan<J, M> =
  /** One call, for all that it speaks of. `facts`: what is written of each before it leaves. */
  | {
      kind: 'call'
      jobs: J[]
      payload: string
      facts?: (item: QueueItem) => StateFacts
      send(hold: Lease | undefined): Promise<Sent<M>>
    }
  | Parking
  /** What has to be there before found no way. */
  | { kind: 'failed'; outcome: NotAccepted }
  /** More is known of it than when it was looked for: it is loaded anew. */
  | { kind: 'more' }
  | { kind: 'done' }

/** What the sender asks of one resource. */
export interface SendAdapter<J extends Job, M extends { id: string }> {
  /** What is due; a step where nothing is. */
  load(): Promise<{ kind: 'due'; job: J } | AttemptEnd>
  /** A call of it may have arrived: it is looked for before all else. */
  isInDoubt(job: J): boolean
  /** A call of it that is done late would be too much: it is looked for twice (RULES OC9). */
  isMadeTwice(job: J): boolean
  look(job: J): Promise<ReadBack<M>>
  /** Goes through the queue again after so long. */
  wake(job: J, ms: number): void
  /** What keeps it from being sent, be it too old or not: what is not held by anything may be 期限切れ. */
  heldBy?(job: J): Promise<Plan<J, M> | null>
  plan(job: J, look: { etag?: string | undefined }): Promise<Plan<J, M>>
  /** After a refusal: whether it is there all the same. */
  lookAfterRefusal(job: J): Promise<ReadBack<M>>
  /** One of several that one call spoke of may be at fault: from now on each has a call of its own (RULES OR3). */
  apart?(jobs: readonly J[]): void
  /** Refused without a reason, like others in a row before it (RULES OC7). */
  isNobodysFault?(items: QueueItem[]): Promise<boolean>
  /** What is written of it along with the acceptance. */
  madeOf?(job: J, made: M): StateFacts
  settle(job: J, made: M): Promise<AttemptEnd>
}
