/** What a change is sent with. */
import type { PendingRecord, QueueItem } from '#schemas/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
import type { QueueStore } from './queue-store.ts'
import type { Api } from './transport/api.ts'
import type { Locks } from './transport/hold.ts'

export interface SenderParts {
  store: QueueStore
  api: Api
  locks: Locks
  clock: { now(): number; stamp(): string }
  userId: string
  /** `loginUserId` of the calls (crm-contract 2). */
  loginUserId: string
}

/** One change about to be sent, with its record as it is on disk now. */
export interface Job {
  record: PendingRecord
  change: AnyChange
  item: QueueItem
}
