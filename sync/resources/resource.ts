/** The interface of a resource: how its records are read (`PullResource`) and sent to the CRM (`PushResource`). */
import { type } from 'arktype'
import type { PushableRecord } from '#schemas/change.ts'
import { wireId } from '#schemas/declare/wire.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Api, Query, WriteCall } from '#sync/scheduler/api.ts'
import type { Paging } from '#sync/scheduler/read-pages.ts'
import type { EditRules } from '#sync/merge/merge.ts'
import type { LocalRecord, PulledRow } from '../merge/merge-rows.ts'
import type { Outcome } from '../transport/outcome.ts'

/** Records that are read together: those of a request, visit, area or machine. */
export interface RecordList {
  /** Id or key of the request, visit, area or machine that the records belong to. */
  owner: string
  /** The requests on the device whose screens need them, most urgent first. */
  requests: RequestRecord[]
  /** The screen's fetch request; absent if no screen has requested the list. */
  fetchRequest?: Interest
}

/** One call that reads a list. */
interface ListCall {
  path: string
  query: Query
  /** Null if the CRM returns the whole list at once. */
  paging: Paging | null
}

/**
 * Where the rows of a list come from. `list`: calls whose rows together are the list. `named`: records that are read
 * one by one, by the ids that the request named at `asOf` (a stamp). `isEmptyAt404`: the contract says that a 404 means
 * an empty list.
 */
export type ListSource =
  | { kind: 'list'; calls(list: RecordList, loginUserId: string): ListCall[]; isEmptyAt404?: true }
  | { kind: 'named'; path: string; ids(list: RecordList): string[]; asOf(list: RecordList): string }

export interface PullResource<R extends LocalRecord> {
  source: ListSource
  /**
   * The owners of the lists that a request needs; absent if the list belongs to the user's company.
   */
  owners?: (request: RequestRecord) => string[]
  /** How long the resource's lists stay fresh (`freshness.ts`). */
  lifetime: 'lists' | 'seldom'
  /** The fields of a request that concern the list, as text. If the text changes, the list is read again (PL5). */
  basis(request: RequestRecord): string
  /** Selects the local records of an owner. */
  localSelector(owner: string): object
  /** The owner of a record's list. */
  ownerOf(record: R): string
  /** Reads one record by its id. `ownerIn` returns the owner that the record's row names; null if it names no owner. */
  one?: { path: string; ownerIn(raw: unknown): string | null }
  row(raw: unknown, list: RecordList): PulledRow<R> | type.errors
}

/** The parts of a `PullResource` whose lists each belong to one request. */
export const ofOneRequest = (path: string) =>
  ({
    lifetime: 'lists',
    basis: ({ rowDigest }) => rowDigest,
    localSelector: (requestId) => ({ requestId }),
    ownerOf: ({ requestId }) => requestId,
    one: { path, ownerIn: ownerInRow(ofRequest, ({ requestId }) => requestId) },
  }) satisfies Partial<PullResource<LocalRecord & { requestId: string }>>

/** Records that the newest row of their request names, read one by one. */
export const namedSource = (path: string, idsOf: (request: RequestRecord) => string[]): ListSource => ({
  kind: 'named',
  path,
  ids: ({ requests }) => [newestOf(requests) ?? []].flat().flatMap(idsOf),
  asOf: ({ requests }) => newestOf(requests)?.readStamp ?? '',
})

const ofRequest = type({ requestId: wireId })

/** Returns the owner that a record's own row names; null if the row is unreadable or names no owner. */
export const ownerInRow =
  <W>(parse: (raw: unknown) => W | type.errors, ownerOf: (row: W) => string | null | undefined) =>
  (raw: unknown): string | null => {
    const row = parse(raw)
    return row instanceof type.errors ? null : (ownerOf(row) ?? null)
  }

/** The most recently read row of a request. A request has a row for each day, and each row names the records of all days. */
export const newestOf = (requests: readonly RequestRecord[]): RequestRecord | undefined =>
  requests.toSorted((a, b) => (a.readStamp > b.readStamp ? -1 : 1))[0]

/** The call for a change, and the records whose changes it settles. */
export interface Plan {
  call: WriteCall
  /** Keys of the records whose changes this call settles (bulk exit). */
  recordKeys: string[]
  /** True if the call writes only the record that was read before, so that it can carry that state's ETag (RULES MG4). */
  isOfOne?: true
}

/** `ours`: the CRM has the record of our create. `absent`: the CRM does not have it. `failed`: the read failed. */
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
 * A resource: pure mappings, and the reads that check the CRM. Its members are methods and no function properties, so
 * that TypeScript accepts a resource of one record type in the table of all resources.
 */
export interface PushResource<R extends PushableRecord = PushableRecord> {
  /** The call for a change; null if the change has no target in the CRM. */
  plan(job: Sendable<R>, group: readonly R[], loginUserId: string): Plan | null
  /** Parses the response to a creating call; null if it has no id. */
  created(body: unknown): Created | null
  /** Checks whether the CRM has the record of a creating call with unknown outcome (crm-contract 4). */
  readBack(job: Sendable<R>, read: ReadRequest): Promise<ReadBack>
  /** True if the CRM refuses a duplicate, so that a POST that arrives twice does no harm (RULES OC9). */
  refusesSecond: boolean
  /**
   * True if a read-back has enough content to recognise our own record. That is needed when the CRM refuses a record
   * as a duplicate, because the first one may be our own call that the browser repeated (crm-contract 3).
   */
  isKnownAgain: boolean
  /** The CRM's state after it accepted the change. */
  serverAfter(job: Sendable<R>, created: Created, stamp: string): NonNullable<R['server']>
  /** Absent if the CRM has no `PUT`. */
  edits?: Editable<R>
}

/** The response to a creating call: the record's id, and the folder for its photos. */
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
