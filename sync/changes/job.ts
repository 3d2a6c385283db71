/** What a change is sent with. */
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import type { Job as AnyJob, Sending } from './send-adapter.ts'
import type { Place, QueueStore } from './change-store.ts'
import type { HandlerParts } from './push-handler.ts'
import type { Api } from '#sync/scheduler/api.ts'
import type { Locks } from '#sync/leadership/lease.ts'

export interface SenderParts extends HandlerParts {
  store: QueueStore
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  /** Time limit of one call, in milliseconds. */
  limitMs: number
  userId: string
  /** `loginUserId` of the calls (crm-contract 2). */
  loginUserId: string
}

/** One change about to be sent, with its record as it is on disk now. */
export interface Job extends AnyJob {
  record: PendingRecord
  change: AnyChange
}

/** What a call of the handler works with. */
export interface Work extends SenderParts, Sending {
  /** What RxDB has given and is not done. */
  given: Map<string, Place>
  /** What is left is gone through again after so long. */
  wake: (ms: number) => void
  /** Changes of one save that go one by one, for a call of several of them failed (RULES OR3). In memory only. */
  alone: Set<string>
}
