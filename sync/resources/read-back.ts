/** Reads whether the CRM has a record, and the record's current state (RULES OC3, OC6, MG3; crm-contract 4). */
import { type } from 'arktype'
import type { PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, WireOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { requestWire, type RequestWire } from '#schemas/resources/request.ts'
import { readPages } from '#sync/scheduler/read-pages.ts'
import type { Query } from '#sync/scheduler/api.ts'
import { isOurs } from '../wire/declared.ts'
import type { NotFound, ReadBack, ReadNow, ReadRequest } from './resource.ts'

type Parse<W> = (raw: unknown) => W | type.errors
type Row<W> = { kind: 'row'; row: W; etag?: string | undefined }

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

/**
 * Finds the row that our `POST` created: it has the fields that were sent, and no other record on the device has its
 * id. If no row matches and some rows do not parse, the result is unknown.
 */
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
  const path = `${declaration.path}/${encodeURIComponent(serverId)}`
  const named = await readRow(read, path, { loginUserId: read.loginUserId }, wireOf(declaration))
  if (named.kind !== 'row') return named
  return isOurs(declaration, record, fields, named.row as WireOf<D>) ? { kind: 'ours', serverId } : ABSENT
}

/**
 * Reads the current state of a record by its id (RULES MG3).
 * @param isOwn false for a row of another record, which must not be merged
 */
export async function readRecord<W, S>(
  read: ReadRequest,
  path: string,
  parse: Parse<W>,
  isOwn: (wire: W) => boolean,
  serverOf: (wire: W) => S,
  query: Query = { loginUserId: read.loginUserId },
): Promise<ReadNow<S>> {
  const found = await readRow(read, path, query, parse)
  if (found.kind !== 'row') return found
  return isOwn(found.row) ? { kind: 'found', server: serverOf(found.row), etag: found.etag } : UNREADABLE
}
