import type { DemoUser } from '#demo-crm/seed/people.ts'
import type { RecordTableName, TableRows, World } from './world.ts'
import { type, type Type } from 'arktype'

export interface Call {
  method: string
  params: string[]
  query: URLSearchParams
  headers: Headers
  bytes: ArrayBuffer
  text: string
  user: DemoUser | null
}

export interface DemoResponse {
  status: number
  json?: unknown
  raw?: { body: ArrayBuffer; type: string }
  headers?: Record<string, string>
}

export type Handler = (call: Call, world: World) => DemoResponse | Promise<DemoResponse>

export type Route = { method: string; path: string; handle: Handler }

/** The responses of the contract. */
export const reply = {
  ok: (json: unknown, headers: Record<string, string> = {}): DemoResponse => ({ status: 200, json, headers }),
  created: (json: unknown): DemoResponse => ({ status: 201, json }),
  noContent: { status: 204 },
  /** Response 400 with a message key or text (crm-contract 3). */
  refused: (error: string): DemoResponse => ({ status: 400, json: { errors: [error] } }),
  rejected: (message: string): DemoResponse => ({ status: 202, json: { message } }),
  /** The record has changed since the caller read it (`If-Match`). */
  moved: { status: 412, json: { error: '他の更新がありました。' } },
  notFound: { status: 404, json: { error: '該当するデータがありません。' } },
  unauthorized: (error: string): DemoResponse => ({ status: 401, json: { error } }),
}

/** Returns a page of rows by the query's `limit` and 1-based `offset`, with `x-total-count` (crm-contract 2). */
export function page<T>(rows: readonly T[], query: URLSearchParams, view: (row: T) => unknown): DemoResponse {
  const positive = (name: string, fallback: number) => {
    const number = Number(query.get(name) ?? '')
    return Number.isInteger(number) && number >= 1 ? number : fallback
  }
  const [limit, offset] = [positive('limit', 50), positive('offset', 1)]
  const shown = rows.slice(offset - 1, offset - 1 + limit).map(view)
  return reply.ok(shown, { 'x-total-count': String(rows.length) })
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?\+09:00$/
const moment = type(dateTime).narrow((text) => !Number.isNaN(Date.parse(text)))
const code = type('string | number | null')

/** Fields of a body. A missing field means null (crm-contract 2). */
export const field = {
  /** A required code or id. */
  given: type('string | number').pipe(String).to('0 < string <= 64'),
  /** A code or id that may be null or empty. */
  maybe: code.pipe((value) => (value === null || value === '' ? null : String(value))).default(null),
  /** The caller's `loginUserId`; '' if it is missing. */
  user: code.pipe((value) => String(value ?? '')).default(null),
  moment,
  momentOrNull: moment.or('null').default(null),
  day: type(/^\d{4}-\d{2}-\d{2}$/),
  /** A required text of at most `max` characters. */
  text: (max: number) => type(`1 <= string <= ${max}`),
  textOrNull: (max: number) => type(`string <= ${max} | null`).default(null),
}

type Parsed<T> = { value: T; refusal?: never } | { value?: never; refusal: DemoResponse }

/** Parses a JSON body. The error is a 422 with one text for each invalid field, or a 400 if the body is not JSON. */
export function parseBody<T extends Type>(schema: T, body: string): Parsed<T['infer']> {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { refusal: { status: 400, json: { error: 'JSONが正しくありません。' } } }
  }
  const value: unknown = schema(json)
  if (!(value instanceof type.errors)) return { value: value as T['infer'] }
  const errors = value.map((error) => `${error.path.join('.') || '本文'}が正しい形式ではありません。`)
  return { refusal: { status: 422, json: { errors } } }
}

/** Makes a handler that parses the body first. An invalid body gets `refusal`, by default that of `parseBody`. */
export const withBody =
  <T extends Type>(
    schema: T,
    handle: (sent: T['infer'], call: Call, world: World) => ReturnType<Handler>,
    refusal?: DemoResponse,
  ): Handler =>
  (call, world) => {
    const body = parseBody(schema, call.text)
    return body.refusal ? (refusal ?? body.refusal) : handle(body.value, call, world)
  }

/** Makes a handler that answers one row. */
export const reads =
  <N extends RecordTableName>(name: N, view: (world: World, row: TableRows[N]) => unknown): Handler =>
  ({ params: [id = ''] }, world) => {
    const row = world.table(name).get(id)
    return row ? reply.ok(view(world, row)) : reply.notFound
  }

type Editable = 'customerLocationChangeRequests' | 'locationContactChangeRequests' | 'emergencyReports'

/** Makes a handler that changes a row, unless the office has confirmed the row (ec00008) or `isWrong` refuses the body. */
export const edits = <N extends Editable, T extends Type>(
  name: N,
  schema: T & { infer: { loginUserId: string } },
  isWrong: (sent: T['infer']) => DemoResponse | false = () => false,
): Handler =>
  withBody(schema, (sent, { params: [id = ''] }, world) => {
    const old = world.table(name).get(id)
    if (!old) return reply.notFound
    if (old.confirmed) return reply.refused('ec00008')
    const wrong = isWrong(sent)
    if (wrong) return wrong
    world.table(name).put(id, { ...old, ...sent, loginUserId: sent.loginUserId || old.loginUserId })
    return reply.noContent
  })
