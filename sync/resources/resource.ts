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

/** Records that one or several calls read together: those of a request, visit, area or machine, the owner. */
export interface RecordList {
  owner: string
  /** Requests on the device whose screens show this list, the most urgent first. */
  requests: RequestRecord[]
  /** A screen's stored order to read this list; absent if no screen has ordered it. */
  fetchRequest?: Interest
}

/** `paging`: null if the CRM returns the whole list in one answer. */
type ListCall = { path: string; query: Query; paging: Paging | null }

/**
 * How a list is read. `list`: the answers of `calls` together are the list. `named`: the requests' rows have the ids
 * of the records, and each record is read by its id. `asOf` is the stamp of these rows. `isEmptyAt404`: according to
 * the contract a 404 means an empty list.
 */
export type ListSource =
  | { kind: 'list'; calls(list: RecordList, loginUserId: string): ListCall[]; isEmptyAt404?: true }
  | { kind: 'named'; path: string; ids(list: RecordList): string[]; asOf(list: RecordList): string }

export interface PullResource<R extends LocalRecord> {
  source: ListSource
  /** The owners of the lists that a request's screens show; absent if the list belongs to the user's company. */
  owners?: (request: RequestRecord) => string[]
  /** How long a list counts as fresh: as long as other lists, or longer for what seldom changes. */
  lifetime: 'lists' | 'seldom'
  /** The fields of a request that affect the list, as text. If the text changes, the list is read again (PL5). */
  basis(request: RequestRecord): string
  /** RxDB selector of the owner's records, and the owner of a record (`RecordList.owner`). */
  localSelector(owner: string): object
  ownerOf(record: R): string
  /** How one record is read by its id. `ownerIn`: the owner that the record's row names, or null. */
  one?: { path: string; ownerIn(raw: unknown): string | null }
  row(raw: unknown, list: RecordList): PulledRow<R> | type.errors
}

/** What all resources whose lists belong to one request each have in common. */
export const ofOneRequest = (path: string) =>
  ({
    lifetime: 'lists',
    basis: ({ rowDigest }) => rowDigest,
    localSelector: (requestId) => ({ requestId }),
    ownerOf: ({ requestId }) => requestId,
    one: { path, ownerIn: ownerInRow(ofRequest, ({ requestId }) => requestId) },
  }) satisfies Partial<PullResource<LocalRecord & { requestId: string }>>

/** The source of records whose ids are in their request's row. Each record is read in its own call. */
export const namedSource = (path: string, idsOf: (request: RequestRecord) => string[]): ListSource => ({
  kind: 'named',
  path,
  ids: ({ requests }) => [newestOf(requests)].filter((row) => row !== undefined).flatMap(idsOf),
  asOf: ({ requests }) => newestOf(requests)?.readStamp ?? '',
})

const ofRequest = type({ requestId: wireId })

/** Returns a function that reads the owner from a row; null if the row does not parse or names no owner. */
export const ownerInRow =
  <W>(parse: (raw: unknown) => W | type.errors, ownerOf: (row: W) => string | null | undefined) =>
  (raw: unknown): string | null => {
    const row = parse(raw)
    return row instanceof type.errors ? null : (ownerOf(row) ?? null)
  }

/** The row of a request that was read last. Each of its rows, one for each day, has the ids of all days. */
export const newestOf = (requests: readonly RequestRecord[]): RequestRecord | undefined =>
  requests.toSorted((a, b) => (a.readStamp > b.readStamp ? -1 : 1))[0]

/** The call for a change, and the keys of the records whose changes it covers. A bulk exit covers several. */
export interface Plan {
  call: WriteCall
  recordKeys: string[]
  /** True if the call writes one record, which was read just before, so that it can carry its ETag (RULES MG4). */
  isOfOne?: true
}

/** `absent`: the CRM lacks the record, of which only its 404 is a proof. `failed`: any other failure of the read. */
export type NotFound = { kind: 'absent' } | { kind: 'failed'; outcome: Outcome }
/** `ours`: the CRM has the record that we created. */
export type ReadBack = { kind: 'ours'; serverId: string } | NotFound
export type ReadNow<S> = { kind: 'found'; server: S; etag?: string | undefined } | NotFound

/** How a resource is sent. Its members are methods, so that one table may have resources of several record types. */
export interface PushResource<R extends PushableRecord = PushableRecord> {
  /** Returns the call for a change; null if the CRM has no record that the change could apply to. */
  plan(job: Sendable<R>, group: readonly R[], loginUserId: string): Plan | null
  /** Parses the answer to a `POST`; null if the answer has no id. */
  created(body: unknown): Created | null
  /** Checks whether a `POST` without an answer has created the record in the CRM (crm-contract 4). */
  readBack(job: Sendable<R>, read: ReadRequest): Promise<ReadBack>
  /** True if the CRM refuses duplicates, so that a `POST` that arrives twice does no harm (RULES OC9). */
  refusesSecond: boolean
  /**
   * True if our own record is recognised by its content. It is then searched for after a refusal as a duplicate: the
   * browser may have sent our `POST` twice (crm-contract 3).
   */
  isKnownAgain: boolean
  /** The record's CRM state after the CRM has accepted the change. */
  serverAfter(job: Sendable<R>, created: Created, stamp: string): NonNullable<R['server']>
  /** How edits are merged with the CRM's current state (RULES MG3); absent if the CRM has no `PUT`. */
  edits?: EditRules & {
    readNow(record: R, stamp: string, read: ReadRequest): Promise<ReadNow<NonNullable<R['server']>>>
  }
}

/** The answer to a `POST`: the record's id, and the folder for its photos. */
export interface Created {
  id: string
  name?: string | null
  safetyFolderId?: string | null
  noteLocationFolderId?: string | null
  emergencyReportFolderId?: string | null
}

type Sendable<R extends PushableRecord> = { record: R; change: R['changes'][number] }

export interface ReadRequest {
  api: Api
  loginUserId: string
  /** CRM ids that other records on the device have. */
  takenIds: () => Promise<ReadonlySet<string>>
}
