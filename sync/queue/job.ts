/** What a change is sent with. */
import type { PendingRecord } from '#schemas/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import type { Job as AnyJob, Sending } from './send-adapter.ts'
import type { QueueStore } from './queue-store.ts'
import type { Api } from '../transport/api.ts'
import type { Locks } from '../leadership/hold.ts'

export interface SenderParts {
  store: QueueStore
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  /** Milliseconds, by a clock that nobody sets. */
  elapsed: () => number
  /** Time limit of one call, in milliseconds. */
  limitMs: number
  /** The queue is gone through again after so long, for the sake of this record. */
  wake: (record: { resource: string; key: string }, ms: number) => void
  userId: string
  /** `loginUserId` of the calls (crm-contract 2). */
  loginUserId: string
}

/** One change about to be sent, with its record as it is on disk now. */
export interface Job extends AnyJob {
  record: PendingRecord
  change: AnyChange
}

/** A drain under way. */
export interface Work extends SenderParts, Sending {
  /** What follows the ledger is right at any time, also after the hold. */
  settling: QueueStore
  /** Changes of one save that go one by one, for a call of several of them failed (RULES OR3). In memory only. */
  alone: Set<string>
  /** Documents that follow the ledger while the next call is under way. */
  following: Promise<void>[]
}
