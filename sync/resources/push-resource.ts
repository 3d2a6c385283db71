/** What the engine asks of a resource that travels to the CRM. */
import type { PushableRecord } from '#schemas/change.ts'
import type { Outcome } from '../outcome.ts'
import type { Api, WriteCall } from '../transport/api.ts'

/** What to send for a change, and for which records it speaks at once. */
export interface Plan {
  call: WriteCall
  /** Keys of the records that this one call settles (bulk exit). */
  recordKeys: string[]
}

/** `ours`: the CRM has it; `absent`: it does not; else the read itself failed. */
export type ReadBack =
  | { kind: 'ours'; serverId: string }
  | { kind: 'absent' }
  | { kind: 'failed'; outcome: Outcome }

/**
 * What the engine asks of a resource: pure mappings, and one read. Methods, so that a row for one kind of record fits
 * the table of all.
 */
export interface PushResource<R extends PushableRecord = PushableRecord> {
  /** The call for a change; null when there is nothing it could be sent to. */
  plan(job: Sendable<R>, group: readonly R[], loginUserId: string): Plan | null
  /** The CRM's id in the answer to a creating call; null when the answer is not usable. */
  createdId(body: unknown): string | null
  /** Whether the CRM has what a creating call, whose outcome nobody knows, was to make (crm-contract 4). */
  readBack(job: Sendable<R>, read: ReadRequest): Promise<ReadBack>
  /** What the CRM holds once it accepted the change. */
  serverAfter(job: Sendable<R>, serverId: string, stamp: string): NonNullable<R['server']>
}

/** A record and the change of it that is sent. */
export interface Sendable<R extends PushableRecord> {
  record: R
  change: R['changes'][number]
}

export interface ReadRequest {
  api: Api
  loginUserId: string
  /** Ids in the CRM that other records on the device hold. */
  takenIds: () => Promise<ReadonlySet<string>>
}
