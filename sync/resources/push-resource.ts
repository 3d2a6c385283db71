/** What the engine asks of a resource that travels to the CRM. */
import type { PushableRecord } from '#schemas/change.ts'
import type { EditRules } from '../merge/merge-edit.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { Api, WriteCall } from '#sync/scheduler/api.ts'

/** What to send for a change, and for which records it speaks at once. */
export interface Plan {
  call: WriteCall
  /** Keys of the records that this one call settles (bulk exit). */
  recordKeys: string[]
  /** It writes the one record that was read before it: it may say which state it was made for (RULES MG4). */
  isOfOne?: true
}

/** `ours`: the CRM has it; `absent`: it does not; else the read itself failed. */
export type ReadBack =
  | { kind: 'ours'; serverId: string }
  | { kind: 'absent' }
  | { kind: 'failed'; outcome: Outcome }

/** `missing`: the CRM says it has no such record; else the read itself failed. */
export type ReadNow<S> =
  | { kind: 'found'; server: S; etag?: string | undefined }
  | { kind: 'missing' }
  | { kind: 'failed'; outcome: Outcome }

/** What only a resource with a `PUT` has: an edit is merged with what the CRM holds now (RULES MG3). */
export interface Editable<R extends PushableRecord> extends EditRules {
  /** The record as the CRM holds it. */
  readNow(record: R, stamp: string, read: ReadRequest): Promise<ReadNow<NonNullable<R['server']>>>
}

/**
 * What the engine asks of a resource: pure mappings, and one read. Methods, so that a row for one kind of record fits
 * the table of all.
 */
export interface PushResource<R extends PushableRecord = PushableRecord> {
  /** The call for a change; null when there is nothing it could be sent to. */
  plan(job: Sendable<R>, group: readonly R[], loginUserId: string): Plan | null
  /** What the answer to a creating call says of the new record, its id at least; null when it is not usable. */
  created(body: unknown): Created | null
  /** Whether the CRM has what a creating call, whose outcome nobody knows, was to make (crm-contract 4). */
  readBack(job: Sendable<R>, read: ReadRequest): Promise<ReadBack>
  /** The CRM itself refuses to make a second one: a POST that arrives twice does no harm (RULES OC9). */
  refusesSecond: boolean
  /**
   * A second one that the CRM refuses may be our own, which the browser has sent twice by itself (crm-contract 3): what is
   * read back says so much of it that it tells.
   */
  isKnownAgain: boolean
  /** What the CRM holds once it accepted the change. */
  serverAfter(job: Sendable<R>, created: Created, stamp: string): NonNullable<R['server']>
  /** Absent where the CRM has no `PUT`. */
  edits?: Editable<R>
}

/** What a creating call has told: the id, and where the record's photos go. */
export interface Created {
  id: string
  name?: string | null
  safetyFolderId?: string | null
  noteLocationFolderId?: string | null
  emergencyReportFolderId?: string | null
}

/** A record and the change of it that is sent. */
interface Sendable<R extends PushableRecord> {
  record: R
  change: R['changes'][number]
}

export interface ReadRequest {
  api: Api
  loginUserId: string
  /** Ids in the CRM that are another record's than the one that is looked for. */
  takenIds: () => Promise<ReadonlySet<string>>
}
