import type { DemoUser } from '#demo-crm/seed/people.ts'
import type { World } from './world.ts'

export interface Call {
  method: string
  /** Values of the parameters in the route's path, in order. */
  params: string[]
  query: URLSearchParams
  headers: Headers
  bytes: ArrayBuffer
  text: string
  /** User of the bearer token; null for calls without a token. */
  user: DemoUser | null
}

export interface DemoResponse {
  status: number
  /** Body that is sent as JSON; undefined if there is none. */
  json?: unknown
  /** Body that is sent as it is, instead of `json`. */
  raw?: { body: ArrayBuffer | string; type: string }
  headers?: Record<string, string>
}

export type Handler = (call: Call, world: World) => DemoResponse | Promise<DemoResponse>

export interface Route {
  method: string
  /** Path segments joined by `/`. A segment such as `:id` matches any one segment. */
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
