import type { DemoUser } from '#demo-crm/seed/people.ts'
import type { RecordTableName, TableRows } from './rows.ts'
import type { World } from './world.ts'
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
  raw?: { body: ArrayBuffer | string; type: string }
  headers?: Record<string, string>
}

export type Handler = (call: Call, world: World) => DemoResponse | Promise<DemoResponse>

export interface Route {
  method: string
  path: string
  handle: Handler
}

export const ok = (json: unknown, headers: Record<string, string> = {}): DemoResponse => ({
  status: 200,
  json,
  headers,
})
export const created = (json: unknown): DemoResponse => ({ status: 201, json })
export const noContent: DemoResponse = { status: 204 }
/** Response 400 with message keys or texts (crm-contract 3). */
export const refused = (...errors: string[]): DemoResponse => ({ status: 400, json: { errors } })
export const rejected = (message: string): DemoResponse => ({ status: 202, json: { message } })
/** Response 412: the record has changed since the caller read it (`If-Match`). */
export const moved: DemoResponse = { status: 412, json: { error: '他の更新がありました。' } }
export const notFound: DemoResponse = { status: 404, json: { error: '該当するデータがありません。' } }
export const unauthorized = (error: string): DemoResponse => ({ status: 401, json: { error } })

/** Returns a page of rows by the query's `limit` and 1-based `offset`, with `x-total-count` (crm-contract 2). */
export function page<T>(rows: readonly T[], query: URLSearchParams, view: (row: T) => unknown): DemoResponse {
  const positive = (name: string, fallback: number) => {
    const number = Number(query.get(name) ?? '')
    return Number.isInteger(number) && number >= 1 ? number : fallback
  }
  const [limit, offset] = [positive('limit', 50), positive('offset', 1)]
  return ok(rows.slice(offset - 1, offset - 1 + limit).map(view), { 'x-total-count': String(rows.length) })
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?\+09:00$/
/** A required code or id. */
export const given = type('string | number').pipe(String).to('0 < string <= 64')
/** A code or id that may be null or empty. A missing field means null too (crm-contract 2). */
export const maybe = type('string | number | null').pipe((value) =>
  value === null || value === '' ? null : String(value),
)
export const moment = type(dateTime).narrow((text) => !Number.isNaN(Date.parse(text)))
export const momentOrNull = moment.or('null')
export const day = type(/^\d{4}-\d{2}-\d{2}$/)
/** A required text of at most `max` characters. */
export const text = (max: number) => type(`1 <= string <= ${max}`)
/** A text of at most `max` characters, or null. */
export const textOrNull = (max: number) => type(`string <= ${max} | null`)

export type Parsed<T> = { kind: 'ok'; value: T } | { kind: 'refused'; answer: DemoResponse }

const refusal = (...errors: string[]): { kind: 'refused'; answer: DemoResponse } => ({
  kind: 'refused',
  answer: { status: 422, json: { errors } },
})

/** Parses a JSON body. The error is a 422 with one text for each invalid field, or a 400 if the body is not JSON. */
export function parseBody<T extends Type>(schema: T, body: string): Parsed<T['infer']> {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { kind: 'refused', answer: { status: 400, json: { error: 'JSONが正しくありません。' } } }
  }
  const value: unknown = schema(json)
  if (value instanceof type.errors)
    return refusal(...value.map((error) => `${error.path.join('.') || '本文'}が正しい形式ではありません。`))
  return { kind: 'ok', value: value as T['infer'] }
}

/** Makes a handler that parses the body first. An invalid body gets the error response of `parseBody`. */
export const withBody =
  <T extends Type>(
    schema: T,
    handle: (sent: T['infer'], call: Call, world: World) => ReturnType<Handler>,
  ): Handler =>
  (call, world) => {
    const body = parseBody(schema, call.text)
    return body.kind === 'refused' ? body.answer : handle(body.value, call, world)
  }

/** Makes a handler that answers one row. */
export const reads =
  <N extends RecordTableName>(name: N, view: (world: World, row: TableRows[N]) => unknown): Handler =>
  ({ params: [id = ''] }, world) => {
    const row = world.table(name).get(id)
    return row ? ok(view(world, row)) : notFound
  }

type Editable = 'customerLocationChangeRequests' | 'locationContactChangeRequests' | 'emergencyReports'

/** Makes a handler that changes a row, unless the office has confirmed the row (ec00008) or `isWrong` refuses the body. */
export const edits = <N extends Editable, T extends Type>(
  name: N,
  schema: T & { infer: { loginUserId: string | null } },
  isWrong: (sent: T['infer']) => DemoResponse | false = () => false,
): Handler =>
  withBody(schema, (sent, { params: [id = ''] }, world) => {
    const old = world.table(name).get(id)
    if (!old) return notFound
    if (old.confirmed) return refused('ec00008')
    const wrong = isWrong(sent)
    if (wrong) return wrong
    const loginUserId = sent.loginUserId ?? old.loginUserId
    world.table(name).put(id, { ...old, ...sent, loginUserId, origin: 'call' })
    return noContent
  })
