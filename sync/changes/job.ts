/** Types shared by the steps that send a change. */
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import type { Job as AnyJob, Sending } from './send-adapter.ts'
import type { ChangeRef, QueueStore } from './change-store.ts'
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

/** Everything that one run of the push handler uses. */
export interface Work extends SenderParts, Sending {
  /** Changes that RxDB has passed on and that are not settled, by id. */
  pending: Map<string, ChangeRef>
  /** Starts another run for the pending changes after this many milliseconds. */
  wake: (ms: number) => void
  /** Ids of changes that are sent alone, because a call for several of them failed (RULES OR3). In memory only. */
  sentIndividually: Set<string>
}
