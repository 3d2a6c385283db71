/** Reads whether the CRM has a record, and the record's current state (RULES OC3, OC6, MG3; crm-contract 4). */
import { type } from 'arktype'
import type { PushableRecord } from '#schemas/change.ts'
import type { ContentOf, Declaration, WireOf } from '#schemas/declare/declare.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { requestWire, type RequestWire } from '#schemas/resources/request.ts'
import type { Outcome } from '../transport/outcome.ts'
import { readPages } from '#sync/scheduler/read-pages.ts'
import type { Query } from '#sync/scheduler/api.ts'
import { isOurs } from '../wire/declared.ts'
import type { ReadBack, ReadNow, ReadRequest } from './resource.ts'

type NotFound = Exclude<ReadBack, { kind: 'ours' }>

/** Only a 404 proves that the CRM lacks the record. */
const proofOfAbsence = (outcome: Exclude<Outcome, { kind: 'accepted' }>): NotFound =>
  outcome.kind === 'missing' ? { kind: 'absent' } : { kind: 'failed', outcome }

const UNREADABLE = { kind: 'failed', outcome: { kind: 'unknown', status: 200 } } as const

/** Reads the row of a request on `workingDate`; without a date, on the request's next working day. */
export async function readRequestRow(
  { api, loginUserId }: ReadRequest,
  requestId: string,
  workingDate?: string,
): Promise<{ kind: 'row'; row: RequestWire } | NotFound> {
  const query = { supplierStaffId: loginUserId, workingDate }
  const outcome = await api.fresh.read(`request/${encodeURIComponent(requestId)}`, query)
  if (outcome.kind !== 'accepted') return proofOfAbsence(outcome)
  const row = requestWire(outcome.body)
  return row instanceof type.errors ? UNREADABLE : { kind: 'row', row }
}

/**
 * Finds the row that our `POST` created: it has the fields that were sent, and no other record on the device has its
 * id. If no row matches and some rows do not parse, the result is unknown.
 */
export async function findOurs<W extends { id: string }>(
  { api, takenIds }: ReadRequest,
  list: { path: string; query: Query; paged: boolean },
  parse: (raw: unknown) => W | type.errors,
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
  return rows.some((row) => row instanceof type.errors) || !read.complete ? UNREADABLE : { kind: 'absent' }
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
  const id = idIn(found.row)
  if (id === undefined) return { kind: 'absent' }
  const path = `${declaration.path}/${encodeURIComponent(id)}`
  const outcome = await read.api.fresh.read(path, { loginUserId: read.loginUserId })
  if (outcome.kind !== 'accepted') return proofOfAbsence(outcome)
  const row = wireOf(declaration)(outcome.body)
  if (row instanceof type.errors) return UNREADABLE
  const isOwn = isOurs(declaration, record, fields, row as WireOf<D>)
  return isOwn ? { kind: 'ours', serverId: id } : { kind: 'absent' }
}

/**
 * Reads the current state of a record by its id (RULES MG3).
 * @param isOwn false for a row of another record, which must not be merged
 */
export async function readRecord<W, S>(
  { api, loginUserId }: ReadRequest,
  path: string,
  parse: (raw: unknown) => W | type.errors,
  isOwn: (wire: W) => boolean,
  serverOf: (wire: W) => S,
  query: Query = { loginUserId },
): Promise<ReadNow<S>> {
  const outcome = await api.fresh.read(path, query)
  if (outcome.kind === 'missing') return { kind: 'missing' }
  if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
  const row = parse(outcome.body)
  return row instanceof type.errors || !isOwn(row)
    ? UNREADABLE
    : { kind: 'found', server: serverOf(row), etag: outcome.etag }
}
