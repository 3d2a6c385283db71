/** The reads after a create whose outcome nobody knows (RULES OC3, OC6; crm-contract 4). */
import { type } from 'arktype'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { requestWire, type RequestWire } from '#schemas/resources/request.ts'
import type { Outcome } from '../transport/outcome.ts'
import { readPages } from '#sync/scheduler/read-pages.ts'
import type { Query } from '#sync/scheduler/api.ts'
import type { ReadBack, ReadNow, ReadRequest } from './push-resource.ts'

type NotFound = Exclude<ReadBack, { kind: 'ours' }>

/** What an answer without a body of use says of one record: only 404 that it is not there; a refused read proves nothing. */
const without = (outcome: Exclude<Outcome, { kind: 'accepted' }>): NotFound =>
  outcome.kind === 'missing' ? { kind: 'absent' } : { kind: 'failed', outcome }

const unreadable: { kind: 'failed'; outcome: Outcome } = {
  kind: 'failed',
  outcome: { kind: 'unknown', status: 200 },
}

/** The row of a request; without a day the next one. */
export async function readRequestRow(
  { api, loginUserId }: ReadRequest,
  requestId: string,
  workingDate?: string,
): Promise<{ kind: 'row'; row: RequestWire } | NotFound> {
  const query = { supplierStaffId: loginUserId, workingDate }
  const outcome = await api.fresh.read(`request/${encodeURIComponent(requestId)}`, query)
  if (outcome.kind !== 'accepted') return without(outcome)
  const row = requestWire(outcome.body)
  return row instanceof type.errors ? unreadable : { kind: 'row', row }
}

/**
 * The newest row of a list that is ours: its fields are those sent, and no other record on the device holds its id.
 * A row that does not parse may be ours, so without a match nobody knows.
 * @param isOurs whether a row has what was sent
 */
export async function findOurs<W extends { id: string }>(
  { api, takenIds }: ReadRequest,
  list: { path: string; query: Query; paged: boolean },
  parse: (raw: unknown) => W | type.errors,
  isOurs: (row: W) => boolean,
): Promise<ReadBack> {
  const read = await readPages(api.fresh, list.path, list.query, list.paged ? { limit: PAGE_SIZE } : null)
  // also with 404: it says that a record is not there, and no more of a list than a 500 does (RULES OC7)
  if (read.kind === 'failed') return read
  const taken = await takenIds()
  // not `map(parse)`: ArkType takes a second argument for its own context
  const rows = read.rows.map((raw) => parse(raw))
  for (const row of rows)
    if (!(row instanceof type.errors) && isOurs(row) && !taken.has(row.id))
      return { kind: 'ours', serverId: row.id }
  return rows.some((row) => row instanceof type.errors) || !read.complete ? unreadable : { kind: 'absent' }
}

/** A change request is ours where the request names one and the record read by that id has our fields. */
export async function readNamed<W>(
  { api, loginUserId }: ReadRequest,
  path: string,
  id: string | undefined,
  parse: (raw: unknown) => W | type.errors,
  isOurs: (row: W) => boolean,
): Promise<ReadBack> {
  if (id === undefined) return { kind: 'absent' }
  const outcome = await api.fresh.read(`${path}/${encodeURIComponent(id)}`, { loginUserId })
  if (outcome.kind !== 'accepted') return without(outcome)
  const row = parse(outcome.body)
  if (row instanceof type.errors) return unreadable
  return isOurs(row) ? { kind: 'ours', serverId: id } : { kind: 'absent' }
}

/**
 * One record as the CRM holds it, read by its id (RULES MG3).
 * @param isIts false for a row of another record, which nothing is laid over
 * @param query where the call does not say who reads
 */
export async function readRecord<W, S>(
  { api, loginUserId }: ReadRequest,
  path: string,
  parse: (raw: unknown) => W | type.errors,
  isIts: (wire: W) => boolean,
  serverOf: (wire: W) => S,
  query: Query = { loginUserId },
): Promise<ReadNow<S>> {
  const outcome = await api.fresh.read(path, query)
  if (outcome.kind === 'missing') return { kind: 'missing' }
  if (outcome.kind !== 'accepted') return { kind: 'failed', outcome }
  const row = parse(outcome.body)
  return row instanceof type.errors || !isIts(row)
    ? unreadable
    : { kind: 'found', server: serverOf(row), etag: outcome.etag }
}
