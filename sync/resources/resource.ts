/** The interface of a resource: how its records are read (`PullResource`) and sent to the CRM (`PushResource`). */
import { type } from 'arktype'
import type { PushableRecord } from '#schemas/change.ts'
import { wireId, wireText } from '#schemas/declare/wire.ts'
import type { Interest } from '#schemas/device/interest.ts'
import { requestWire, type RequestRecord, type RequestWire } from '#schemas/resources/request.ts'
import type { Api, Query, WriteCall } from '#sync/scheduler/api.ts'
import { readPages, type Paging } from '#sync/scheduler/read-pages.ts'
import type { EditRules } from '#sync/merge/merge.ts'
import type { LocalRecord, PulledRow } from '#sync/merge/merge-rows.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import type { ContentOf, Declaration, ServerOf, WireOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { isOfRecord, isOurs, serverFromWire } from '#sync/wire/declared.ts'

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
 * How a list is read. `list`: by `calls`. `named`: each record by its id in the requests' rows, of the stamp `asOf`.
 * `isEmptyAt404`: according to the contract a 404 means an empty list.
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
  created(body: unknown): Created | null
  readBack(job: Sendable<R>, read: ReadRequest): Promise<ReadBack>
  /** True if the CRM refuses duplicates, so that a `POST` that arrives twice does no harm (RULES OC9). */
  refusesSecond: boolean
  /** True if our record is known by its content, and searched for if refused: the browser may send twice (crm-contract 3). */
  isKnownAgain: boolean
  serverAfter(job: Sendable<R>, created: Created, stamp: string): NonNullable<R['server']>
  /** How edits are merged with the CRM's current state (RULES MG3); absent if the CRM has no `PUT`. */
  edits?: EditRules & {
    readNow(record: R, stamp: string, read: ReadRequest): Promise<ReadNow<NonNullable<R['server']>>>
  }
}

/** The answer to a `POST`: the record's id, and the folder for its photos. */
export const createdWire = type({
  id: wireId,
  'name?': wireText,
  'safetyFolderId?': wireText,
  'noteLocationFolderId?': wireText,
  'emergencyReportFolderId?': wireText,
})
export type Created = typeof createdWire.infer

type Sendable<R extends PushableRecord> = { record: R; change: R['changes'][number] }

export interface ReadRequest {
  api: Api
  loginUserId: string
  /** CRM ids that other records on the device have. */
  takenIds: () => Promise<ReadonlySet<string>>
}

type Parse<W> = (raw: unknown) => W | type.errors
type Row<W> = { kind: 'row'; row: W; etag?: string | undefined }

/** Path of one record, by its id. */
export const pathOf = ({ path }: Pick<Declaration, 'path'>, id: string) => `${path}/${encodeURIComponent(id)}`

const ABSENT = { kind: 'absent' } as const
const UNREADABLE = { kind: 'failed', outcome: { kind: 'unknown', status: 200 } } as const

async function readRow<W>(
  { api }: ReadRequest,
  path: string,
  query: Query,
  parse: Parse<W>,
): Promise<Row<W> | NotFound> {
  const outcome = await api.fresh.read(path, query)
  if (outcome.kind !== 'accepted')
    return outcome.kind === 'missing' ? { kind: 'absent' } : { kind: 'failed', outcome }
  const row = parse(outcome.body)
  return row instanceof type.errors ? UNREADABLE : { kind: 'row', row, etag: outcome.etag }
}

/** Reads the row of a request on `workingDate`; without a date, on the request's next working day. */
export const readRequestRow = (read: ReadRequest, requestId: string, workingDate?: string) =>
  readRow<RequestWire>(
    read,
    `request/${encodeURIComponent(requestId)}`,
    { supplierStaffId: read.loginUserId, workingDate },
    requestWire,
  )

/** Finds the row that our `POST` created, with an id that no other record here has. Unknown if some rows do not parse. */
export async function findOurs<W extends { id: string }>(
  { api, takenIds }: ReadRequest,
  list: { path: string; query: Query; paged: boolean },
  parse: Parse<W>,
  isOurs: (row: W) => boolean,
): Promise<ReadBack> {
  const read = await readPages(api.fresh, list.path, list.query, list.paged ? { limit: PAGE_SIZE } : null)
  // A list's 404 is a failure, because it does not prove that the record is absent (RULES OC7).
  if (read.kind === 'failed') return read
  const taken = await takenIds()
  // With `map(parse)` ArkType would use the index as its context.
  const rows = read.rows.map((raw) => parse(raw))
  for (const row of rows)
    if (!(row instanceof type.errors) && isOurs(row) && !taken.has(row.id))
      return { kind: 'ours', serverId: row.id }
  return rows.some((row) => row instanceof type.errors) || !read.complete ? UNREADABLE : ABSENT
}

/** Reads the record that a request's row names (`idIn`). It is ours if it has the fields that were sent. */
export async function readNamed<D extends Declaration>(
  read: ReadRequest,
  declaration: D,
  record: PushableRecord & { requestId: string },
  fields: ContentOf<D>,
  idIn: (row: RequestWire) => string | undefined,
): Promise<ReadBack> {
  const found = await readRequestRow(read, record.requestId)
  if (found.kind !== 'row') return found
  const serverId = idIn(found.row)
  if (serverId === undefined) return ABSENT
  const query = { loginUserId: read.loginUserId }
  const named = await readRow(read, pathOf(declaration, serverId), query, wireOf(declaration))
  if (named.kind !== 'row') return named
  return isOurs(declaration, record, fields, named.row as WireOf<D>) ? { kind: 'ours', serverId } : ABSENT
}

/**
 * Reads a record's current state by its id (RULES MG3). Another's row is not merged: a record that was created here has
 * its id from the answer to a `POST`, which may name another record.
 */
export async function readRecord<D extends Declaration>(
  read: ReadRequest,
  declaration: D,
  parse: Parse<WireOf<D>>,
  record: PushableRecord,
  stamp: string,
  query: Query = { loginUserId: read.loginUserId },
): Promise<ReadNow<ServerOf<D>>> {
  const found = await readRow(read, pathOf(declaration, record.serverId), query, parse)
  if (found.kind !== 'row') return found
  const { etag, row } = found
  if (record.key !== record.serverId && !isOfRecord(declaration, record, row)) return UNREADABLE
  return { kind: 'found', server: { ...serverFromWire(declaration, row), stamp } as ServerOf<D>, etag }
}
