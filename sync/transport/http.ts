/** Makes one HTTP call. Never throws. ofetch's retries are off: a hidden retry could send a write twice (RULES OC6). */
import { createFetch } from 'ofetch'
import { ANSWER_FILE_MAX, ANSWER_MAX } from '#schemas/limits.ts'
import { NOT_SENT, type Answer, type Answered } from './outcome.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { PARSE_AT_ONCE_MAX, parseJson, readBody, textOf } from './parse-json.ts'

export const CALL_TIMEOUT_MS = 20_000

/** `bytes`: the answer's body is a file (`ArrayBuffer`), unless it is JSON. `lease`: no call leaves that could outlast it. */
export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  /** Sent unchanged, because the signature covers exactly this text. */
  body?: string
  /** Sent as multipart in place of `body`. Such a call is an upload and is not signed (crm-contract 2, 5). */
  form?: FormData
  contentType?: string
  headers?: Record<string, string>
  signed?: boolean
  /** Factor of the usual time limit, for photos on a slow line. */
  patience?: number
  bytes?: boolean
  /** True if only the status is needed. The body is then not read (spec 7). */
  withoutBody?: boolean
  withText?: boolean
  lease?: Lease | undefined
}

export type Http = (call: HttpCall) => Promise<Answer>

/** @param token the session's access token */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

interface HttpParts {
  fetch: typeof globalThis.fetch
  securityKey: string
  timeoutMs?: number
  stopped?: AbortSignal
  /** Called with the server's time for every answer that has a `Date` or should have one (RULES EX3). */
  onServerTime?: (url: string, time: AnswerTime) => void
  /** Called with the path of an answer and descriptions of what exceeded the limits (RULES PL11). */
  onOmitted?: (path: string, what: readonly string[]) => void
  onEnded?: (call: EndedCall) => void
}

/** A call that has ended, for telemetry: status (0: no answer), and the bodies' bytes, or characters of a sent text. */
export interface EndedCall extends Pick<HttpCall, 'method' | 'url'> {
  status: number
  tookMs: number
  sent: number
  received: number
}

/** The server's time that an answer shows: its `Date` (RFC 9110, 6.6.1) in epoch ms; null without one. */
export interface AnswerTime {
  date: number | null
  /** True if the answer has an `Age`, so that it comes from a cache and its `Date` is old. */
  isCached: boolean
  tookMs: number
}

export function createHttp(parts: HttpParts): Http {
  const { fetch, securityKey, timeoutMs = CALL_TIMEOUT_MS, stopped, onServerTime, onOmitted, onEnded } = parts
  const sign = createSigner(securityKey)
  const $fetch = createFetch({ fetch, Headers, AbortController })
  return async ({ method, url, body = '', contentType = 'application/json', headers = {}, ...options }) => {
    const { form, signed = form === undefined, patience = 1, lease, ...reading } = options
    const { pathname, search } = new URL(url)
    const signature = signed ? { 'X-Signature': await sign(method, pathname + search, body) } : {}
    // For a form the browser sets the content type, with its boundary.
    const content = body === '' ? {} : { 'Content-Type': contentType }
    // ofetch's own time limit covers only the headers, so the body needs this limit.
    const limitMs = timeoutMs * patience
    // The check comes directly before the call, so that the lease cannot end between them.
    if (lease && !lease.allows(limitMs)) return NOT_SENT
    const limit = timeLimit(limitMs, stopped)
    const begunAt = performance.now()
    let measured = { status: 0, received: 0 }
    try {
      const response = await $fetch.raw<ReadableStream<Uint8Array>, 'stream'>(url, {
        method,
        headers: { Accept: reading.bytes ? '*/*' : 'application/json', ...content, ...headers, ...signature },
        ...(form ? { body: form } : body !== '' && { body }),
        responseType: 'stream',
        ignoreResponseError: true,
        retry: 0,
        signal: limit.signal,
        // The browser's cache is off, because the app could not clear it (decisions/pull).
        cache: 'no-store',
        // Without credentials an answer cannot set a cookie or clear the storage (decisions/hosting).
        credentials: 'omit',
        // A followed redirect turns a POST into the GET of a page, which would look like an answer (RULES OC7).
        redirect: 'manual',
      })
      measured = { status: statusOf(response), received: 0 }
      const { answer, omitted = [], received = 0 } = await answerOf(response, reading)
      measured.received = received
      if (omitted.length > 0) onOmitted?.(pathname, omitted)
      const time = serverTime(response, answer, 'If-None-Match' in headers)
      if (time) onServerTime?.(url, { ...time, tookMs: performance.now() - begunAt })
      return answer
    } catch {
      // The CRM may have applied the call, even if the answer broke off during its download (RULES OC3).
      return { kind: 'no-answer', sent: true }
    } finally {
      limit.end()
      const tookMs = performance.now() - begunAt
      onEnded?.({ method, url, tookMs, sent: form ? sizeOfForm(form) : body.length, ...measured })
    }
  }
}

/** The status. A redirect, whose status the browser hides, or that a service worker has followed, becomes 302. */
const statusOf = ({ type, redirected, status }: Response) =>
  type === 'opaqueredirect' || redirected ? 302 : status

const sizeOfForm = (form: FormData): number =>
  [...form.values()].reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.size), 0)

/** Aborts a call after a time limit or when sync stops. Some supported browsers lack `AbortSignal.any`. */
function timeLimit(ms: number, stopped: AbortSignal | undefined) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, ms)
  stopped?.addEventListener('abort', abort)
  if (stopped?.aborted) abort()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      stopped?.removeEventListener('abort', abort)
    },
  }
}

/** The server's time in an answer; null if a gateway may have answered. `date`: null if a server sends none. */
function serverTime({ headers }: Response, { status, isJson }: Answered, isConditional: boolean) {
  const parsed = Date.parse(headers.get('date') ?? '')
  const date = Number.isNaN(parsed) ? null : parsed
  const isEvidence = (status === 304 && isConditional) || (isJson && (date !== null || status < 400))
  return isEvidence ? { date, isCached: headers.has('age') } : null
}

type StreamedResponse = Response & { _data?: ReadableStream<Uint8Array> }

/** Reads an answer. `omitted`: descriptions of what exceeded the limits. `received`: the size of its body in bytes. */
async function answerOf(
  response: StreamedResponse,
  { bytes, withText, withoutBody }: Pick<HttpCall, 'bytes' | 'withText' | 'withoutBody'>,
): Promise<{ answer: Answered; omitted?: readonly string[]; received?: number }> {
  const { headers, _data: stream = null } = response
  const [, count] = /^\s*(\d{1,15})\s*$/.exec(headers.get('x-total-count') ?? '') ?? []
  const answer: Answered = {
    kind: 'answer',
    status: statusOf(response),
    isJson: false,
    body: '',
    total: count === undefined ? null : Number(count),
    retryAfter: headers.get('retry-after'),
    etag: headers.get('etag'),
  }
  if (withoutBody) await stream?.cancel()
  if (withoutBody || answer.status === 302) return { answer }
  const isFile = bytes && !/json/i.test(headers.get('content-type') ?? '')
  const maxBytes = isFile ? ANSWER_FILE_MAX : ANSWER_MAX
  const read = await readBody(stream, maxBytes)
  const received = read?.byteLength ?? maxBytes
  const omitted = read ? [] : [`all of its more than ${maxBytes} bytes`]
  // A file that is too long counts as missing, because another try would return the same file.
  if (isFile) return { answer: { ...answer, body: read?.buffer ?? new ArrayBuffer(0) }, omitted, received }
  // The body is not empty, because an empty body with status 404 means that the record is missing (RULES OC7).
  const unread = { ...answer, body: '…' }
  if (!read) return { answer: unread, omitted, received }
  const parsed = await parseJson(read)
  if (!parsed) return { answer: { ...answer, body: textOf(read.subarray(0, PARSE_AT_ONCE_MAX)) }, received }
  const { body, rows } = parsed
  if (body === undefined) return { answer: unread, omitted: parsed.omitted, received }
  const text = withText && parsed.omitted.length === 0 ? { text: textOf(read) } : {}
  // Without the header, `rows` counts: of a cut list more than its items, so that no record counts as deleted (PL1).
  const total = answer.total ?? rows
  return { answer: { ...answer, isJson: true, body, total, ...text }, omitted: parsed.omitted, received }
}

/** Signs calls (crm-contract 2): HMAC-SHA-256 in lower-case hex of `METHOD + "\n" + path and query + "\n" + body text`. */
export function createSigner(key: string) {
  const encoder = new TextEncoder()
  // An empty key cannot be imported. One zero byte gives the same signature, because HMAC pads keys with zeros.
  const bytes = encoder.encode(key || '\0')
  const imported = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (method: string, pathAndQuery: string, body: string): Promise<string> => {
    const text = encoder.encode(`${method}\n${pathAndQuery}\n${body}`)
    const signature = await crypto.subtle.sign('HMAC', await imported, text)
    return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}
