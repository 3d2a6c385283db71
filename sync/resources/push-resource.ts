/** What the engine needs to know about a resource that is sent to the CRM. */
import type { PushableRecord } from '#schemas/change.ts'
import type { EditRules } from '../merge/merge-edit.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { Api, WriteCall } from '#sync/scheduler/api.ts'

/** What to send for a change, and for which records. */
export interface Plan {
  call: WriteCall
  /** Keys of the records whose changes this call settles (bulk exit). */
  recordKeys: string[]
  /** True if it writes exactly the record that was read before: it can then name that state (RULES MG4). */
  isOfOne?: true
}

/** `ours`: the CRM has it. `absent`: it does not. `failed`: the read failed. */
export type ReadBack =
  | { kind: 'ours'; serverId: string }
  | { kind: 'absent' }
  | { kind: 'failed'; outcome: Outcome }

/** `missing`: the CRM has no such record. `failed`: the read failed. */
export type ReadNow<S> =
  | { kind: 'found'; server: S; etag?: string | undefined }
  | { kind: 'missing' }
  | { kind: 'failed'; outcome: Outcome }

/** Only for a resource with a `PUT`: an edit is merged with the CRM's current state (RULES MG3). */
export interface Editable<R extends PushableRecord> extends EditRules {
  /** Reads the record's current state in the CRM. */
  readNow(record: R, stamp: string, read: ReadRequest): Promise<ReadNow<NonNullable<R['server']>>>
}

/**
 * A resource: pure mappings, and one read. Declared as methods, so that the row of one record type fits the
 * table of all.
 */
export interface PushResource<R extends PushableRecord = PushableRecord> {
  /** The call for a change; null if it cannot be sent to anything. */
  plan(job: Sendable<R>, group: readonly R[], loginUserId: string): Plan | null
  /** The new record from the response to a creating call, at least its id; null if unusable. */
  created(body: unknown): Created | null
  /** Checks whether the CRM has what a creating call with unknown outcome was to create (crm-contract 4). */
  readBack(job: Sendable<R>, read: ReadRequest): Promise<ReadBack>
  /** True if the CRM refuses a second one: a POST that arrives twice does no harm (RULES OC9). */
  refusesSecond: boolean
  /**
   * True if a read-back contains enough content to recognise our own record, when the CRM refuses a second
   * one that the browser may have sent itself (crm-contract 3).
   */
  isKnownAgain: boolean
  /** The CRM's state after it accepted the change. */
  serverAfter(job: Sendable<R>, created: Created, stamp: string): NonNullable<R['server']>
  /** Absent if the CRM has no `PUT`. */
  edits?: Editable<R>
}

/** What the response to a creating call contains: the id, and the folder for photos. */
export interface Created {
  id: string
  name?: string | null
  safetyFolderId?: string | null
  noteLocationFolderId?: string | null
  emergencyReportFolderId?: string | null
}

/** A record and its change to send. */
interface Sendable<R extends PushableRecord> {
  record: R
  change: R['changes'][number]
}

export interface ReadRequest {
  api: Api
  loginUserId: string
  /** CRM ids of other records on the device. */
  takenIds: () => Promise<ReadonlySet<string>>
}
