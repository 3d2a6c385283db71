/** The parts that broken CRMs are made of. */
import type { DemoCrmOptions } from '#demo-crm/demo-crm.ts'
import type { Fetch, Layer } from '../demo-host.ts'
import { env } from '../demo-host.ts'
import { signatureOf } from '#demo-crm/world/signature.ts'
import { isRow, type Row } from '../shapes.ts'

export interface Variant {
  name: string
  /** The clause that names it. */
  caughtBy: string
  verdict: 'fail' | 'lack'
  options?: Partial<DemoCrmOptions>
  layer?: Layer
  /** Before the gateway. */
  front?: Layer
  sendDate?: boolean
}

/** Whether a call is this one: `GET request/search`. */
export const isCall = (request: Request, method: string, path: RegExp) =>
  request.method === method && path.test(new URL(request.url).pathname)

/** Answers of these calls, changed. */
export const answering =
  (
    method: string,
    path: RegExp,
    change: (response: Response, request: Request) => Response | Promise<Response>,
  ): Layer =>
  (next) =>
  async (request) => {
    const copy = request.clone()
    const response = await next(request)
    return isCall(copy, method, path) ? change(response, copy) : response
  }

/** The JSON of good answers, changed. */
export const saying = (method: string, path: RegExp, change: (json: unknown) => unknown): Layer =>
  answering(method, path, async (response) => {
    if (response.status !== 200 && response.status !== 201) return response
    const headers = new Headers(response.headers)
    return new Response(JSON.stringify(change(await response.json())), { status: response.status, headers })
  })

export const eachRow = (change: (row: Row) => unknown) => (json: unknown) =>
  Array.isArray(json) ? json.map((row: Row) => change(row)) : isRow(json) ? change(json) : json

/** These answers with another status, and with this body. */
export const status = (
  method: string,
  path: RegExp,
  from: (status: number) => boolean,
  to: number,
  body: string | null = '{"error":"x"}',
): Layer =>
  answering(method, path, (response) =>
    from(response.status)
      ? new Response(to === 204 ? null : body, {
          status: to,
          headers: { 'content-type': 'application/json' },
        })
      : response,
  )

/** A call as a signed one with another address, body or headers. */
export async function resent(
  request: Request,
  change: { url?: (url: URL) => void; body?: (text: string) => string; headers?: (headers: Headers) => void },
): Promise<Request> {
  const url = new URL(request.url)
  change.url?.(url)
  const headers = new Headers(request.headers)
  change.headers?.(headers)
  const text = request.method === 'GET' ? '' : await request.text()
  const body = change.body ? change.body(text) : text
  headers.set(
    'x-signature',
    await signatureOf(env.securityKey, request.method, url.pathname + url.search, body),
  )
  headers.delete('content-length')
  return new Request(url, { method: request.method, headers, body: request.method === 'GET' ? null : body })
}

/** These calls arrive at the CRM changed. */
export const hearing =
  (method: string, path: RegExp, change: Parameters<typeof resent>[1]): Layer =>
  (next) =>
  async (request) =>
    next(isCall(request, method, path) ? await resent(request, change) : request)

/** The body's fields, changed. */
export const fields = (change: (row: Row) => Row) => ({
  body: (text: string) => {
    try {
      return JSON.stringify(change(JSON.parse(text) as Row))
    } catch {
      return text
    }
  },
})

/** These calls never get to the CRM. */
export const instead =
  (
    method: string,
    path: RegExp,
    answer: (request: Request, next: Fetch) => Response | Promise<Response>,
  ): Layer =>
  (next) =>
  async (request) =>
    isCall(request, method, path) ? answer(request, next) : next(request)

export const nothing = (code: number) => new Response(code === 204 ? null : '{"error":"x"}', { status: code })

const build =
  (verdict: Variant['verdict']) =>
  (caughtBy: string, name: string, layer: Layer): Variant => ({ caughtBy, name, verdict, layer })
export const broken = build('fail')
export const lacking = build('lack')
