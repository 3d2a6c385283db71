/** The types of a call to a handler and of its response. */
import type { DemoUser } from './seed/people.ts'
import type { World } from './world.ts'

export interface Call {
  method: string
  /** The parameters of the route's path, in order. */
  params: string[]
  query: URLSearchParams
  headers: Headers
  bytes: ArrayBuffer
  /** The body as text. */
  text: string
  /** The user of the bearer token; null for calls that need none. */
  user: DemoUser | null
}

export interface Answer {
  status: number
  /** Sent as JSON; undefined for no body. */
  json?: unknown
  /** Sent as is, instead of JSON. */
  raw?: { body: ArrayBuffer | string; type: string }
  headers?: Record<string, string>
}

export type Handler = (call: Call, world: World) => Answer | Promise<Answer>

export interface Route {
  method: string
  /** Segments joined by `/`; `:x` matches any one segment. */
  path: string
  handle: Handler
}

export const ok = (json: unknown, headers: Record<string, string> = {}): Answer => ({
  status: 200,
  json,
  headers,
})
export const created = (json: unknown): Answer => ({ status: 201, json })
export const done: Answer = { status: 204 }
/** 400 with message keys or texts (crm-contract 3). */
export const refused = (...errors: string[]): Answer => ({ status: 400, json: { errors } })
export const rejected = (message: string): Answer => ({ status: 202, json: { message } })
/** 412: the record has changed since the caller read it (`If-Match`). */
export const moved: Answer = { status: 412, json: { error: '他の更新がありました。' } }
export const notFound: Answer = { status: 404, json: { error: '該当するデータがありません。' } }
export const unauthorized = (error: string): Answer => ({ status: 401, json: { error } })

/** Returns a page of rows by `limit` and the 1-based `offset`, with `x-total-count` (crm-contract 2). */
export function page<T>(rows: readonly T[], query: URLSearchParams, view: (row: T) => unknown): Answer {
  const whole = (name: string, fallback: number) => {
    const number = Number(query.get(name) ?? '')
    return Number.isInteger(number) && number >= 1 ? number : fallback
  }
  const [limit, offset] = [whole('limit', 50), whole('offset', 1)]
  return ok(rows.slice(offset - 1, offset - 1 + limit).map(view), { 'x-total-count': String(rows.length) })
}
