/**
 * Makes one HTTP call: signs it, limits its time, and returns an `Answer`. Never throws. ofetch's retries are off,
 * because a hidden retry could send a write twice (RULES OC6).
 */
import { createFetch } from 'ofetch'
import { ANSWER_FILE_MAX, ANSWER_MAX } from '#schemas/limits.ts'
import type { Answer } from './outcome.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { LimitedBody } from './limit-size.ts'
import { parseJson, PARSE_AT_ONCE_MAX, textOf } from './parse-json.ts'
import { readBody } from './read-body.ts'

export const CALL_TIMEOUT_MS = 20_000

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  /** Sent unchanged, because the signature covers exactly this text. */
  body?: string
  /** Sent as multipart in place of `body`. Such a call is an upload and is never signed (crm-contract 2, 5). */
  form?: FormData
  contentType?: string
  headers?: Record<string, string>
  signed?: boolean
  /** Factor of the usual time limit, for photos on a slow line. */
  patience?: number
  /** True if the answer's body is a file (`ArrayBuffer`), unless it is JSON. */
  bytes?: boolean
  /** True if only the status is needed. The body is then not read (spec 7). */
  withoutBody?: boolean
  /** True if the answer must include its JSON text. */
  withText?: boolean
  /** The call is not sent if it could end after this lease. */
  lease?: Lease | undefined
}

export type Http = (call: HttpCall) => Promise<Answer>

/** @param token the session's access token */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

interface HttpParts {
  fetch: typeof globalThis.fetch
  securityKey: string
  timeoutMs?: number
  /** Aborts every call when sync stops. */
  stopped?: AbortSignal
  /** Called with the server's time for every answer that has a `Date` or should have one (RULES EX3). */
  onServerTime?: (url: string, time: AnswerTime) => void
  /** Called with the path of an answer and descriptions of what exceeded the limits (RULES PL11). */
  onOmitted?: (path: string, what: readonly string[]) => void
  /** Called at the end of every call that was sent. */
  onEnded?: (call: EndedCall) => void
}

/** A call that has ended, without its content. Used by telemetry. */
export interface EndedCall {
  method: HttpCall['method']
  url: string
  /** 0 without an answer. */
  status: number
  tookMs: number
  /** Bytes of the request's body; for a text the number of characters. */
  sent: number
  /** Bytes of the answer's body. */
  received: number
}

/** The server's time that an answer shows. */
export interface AnswerTime {
  /** `Date` of the answer (RFC 9110, 6.6.1), epoch ms; null without one. */
  date: number | null
  /** True if the answer has an `Age`, so that it comes from a cache and its `Date` is old. */
  isCached: boolean
  /** Duration of the call in milliseconds, by a monotonic clock. */
  tookMs: number
}

export function createHttp(parts: HttpParts): Http {
  const { fetch, securityKey, timeoutMs = CALL_TIMEOUT_MS, stopped, onServerTime, onOmitted, onEnded } = parts
  const sign = createSigner(securityKey)
  const $fetch = createFetch({ fetch, Headers, AbortController })
  return async ({ method, url, body = '', contentType = 'application/json', headers, ...options }) => {
    const { form, signed = form === undefined, patience = 1, lease, ...reading } = options
    const { pathname, search } = new URL(url)
    const signature = signed ? { 'X-Signature': await sign(method, pathname + search, body) } : {}
    // For a form the browser sets the content type, with its boundary.
    const content = body === '' ? {} : { 'Content-Type': contentType }
    // ofetch's own time limit covers only the headers, so the body needs this limit.
    const limitMs = timeoutMs * patience
    // The check comes directly before the call, so that the lease cannot end between them.
    if (lease && !lease.allows(limitMs)) return { kind: 'no-answer', sent: false, late: true }
    const limit = timeLimit(limitMs, stopped)
    const begunAt = performance.now()
    let measured = NO_RESPONSE
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
        // Without credentials an answer cannot set a cookie, clear the storage or ask for a password
        // (decisions/hosting).
        credentials: 'omit',
        // A followed redirect turns a POST into the GET of a page, which would look like the CRM's answer (RULES
        // OC7).
        redirect: 'manual',
      })
      measured = { status: statusOf(response), received: 0 }
      const { answer, omitted, size } = await answerOf(response, response._data ?? null, reading)
      measured.received = size
      if (omitted.length > 0) onOmitted?.(pathname, omitted)
      const time = serverTime(response, answer, headers, performance.now() - begunAt)
      if (time) onServerTime?.(url, time)
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

const NO_RESPONSE = { status: 0, received: 0 }

/** True for a redirect, also if a service worker or the browser has followed it. */
const isRedirect = ({ type, redirected }: Response) => type === 'opaqueredirect' || redirected

/** The status. Redirects become 302, because the browser hides the status of a redirect that it does not follow. */
const statusOf = (response: Response) => (isRedirect(response) ? 302 : response.status)

const sizeOfForm = (form: FormData): number =>
  [...form.values()].reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.size), 0)

/**
 * An abort signal that ends a call after a time limit or when sync stops. Some supported browsers lack
 * `AbortSignal.any`.
 */
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

/**
 * The server's time in an answer; null if the answer may come from a gateway. A JSON answer without a `Date` counts
 * unless it is an error, because it shows that the server sends no `Date`.
 */
function serverTime(
  response: Response,
  { status, isJson }: { status: number; isJson: boolean },
  headers: HttpCall['headers'] = {},
  tookMs: number,
): AnswerTime | null {
  const parsed = Date.parse(response.headers.get('date') ?? '')
  const date = Number.isNaN(parsed) ? null : parsed
  const isNotModified = status === 304 && 'If-None-Match' in headers
  const isEvidence = isNotModified || (isJson && (date !== null || status < 400))
  return isEvidence ? { date, isCached: response.headers.has('age'), tookMs } : null
}

type Reading = Pick<HttpCall, 'bytes' | 'withText' | 'withoutBody'>

async function answerOf(
  response: Response,
  stream: ReadableStream<Uint8Array> | null,
  { bytes = false, withText = false, withoutBody = false }: Reading,
): Promise<{ answer: Extract<Answer, { kind: 'answer' }>; omitted: readonly string[]; size: number }> {
  if (withoutBody) await stream?.cancel()
  if (withoutBody || isRedirect(response))
    return { answer: answerWith(response, null, ''), omitted: [], size: 0 }
  const isJsonType = /json/i.test(response.headers.get('content-type') ?? '')
  // The body is not empty here, because an empty body with status 404 means that the record is missing (RULES OC7).
  const unusableAnswer = (what: readonly string[], size: number) => ({
    answer: answerWith(response, null, '…'),
    omitted: what,
    size,
  })
  if (bytes && !isJsonType) {
    const file = await readBody(stream, ANSWER_FILE_MAX)
    // A file that is too long counts as missing, because another try would return the same file.
    const content = file?.buffer ?? new ArrayBuffer(0)
    const omitted = file ? [] : [`all of its more than ${ANSWER_FILE_MAX} bytes`]
    return { answer: answerWith(response, null, content), omitted, size: content.byteLength }
  }
  const body = await readBody(stream, ANSWER_MAX)
  if (!body) return unusableAnswer([`all of its more than ${ANSWER_MAX} bytes`], ANSWER_MAX)
  const size = body.byteLength
  const parsed = await parseJson(body)
  if (parsed?.isTooLarge) return unusableAnswer(parsed.omitted, size)
  const omitted = parsed?.omitted ?? []
  const isCacheable = withText && parsed !== null && omitted.length === 0
  const answer = answerWith(response, parsed, parsed ? '' : textOf(body.subarray(0, PARSE_AT_ONCE_MAX)))
  return { answer: isCacheable ? { ...answer, text: textOf(body) } : answer, omitted, size }
}

/**
 * Creates the answer.
 * @param parsed the parsed body; null if the body is not JSON
 * @param raw the body that is not JSON
 */
function answerWith(response: Response, parsed: LimitedBody | null, raw: string | ArrayBuffer) {
  const total = /^\s*(\d{1,15})\s*$/.exec(response.headers.get('x-total-count') ?? '')?.[1]
  return {
    kind: 'answer' as const,
    status: statusOf(response),
    body: parsed ? parsed.body : raw,
    isJson: parsed !== null,
    // Without the header, `rows` is used. It is larger than the number of items of a list that was cut, so that the
    // list counts as incomplete and no record as deleted (RULES PL1).
    total: total === undefined ? (parsed?.rows ?? null) : Number(total),
    retryAfter: response.headers.get('retry-after'),
    etag: response.headers.get('etag'),
  }
}

/**
 * Returns the function that signs calls (crm-contract 2): HMAC-SHA-256 in lower-case hex of `METHOD + "\n" + path and
 * query as sent + "\n" + body text`.
 */
export function createSigner(
  key: string,
): (method: string, pathAndQuery: string, body: string) => Promise<string> {
  const encoder = new TextEncoder()
  // An empty key cannot be imported. One zero byte gives the same signature, because HMAC pads keys with zeros.
  const bytes = encoder.encode(key || '\0')
  const imported = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (method, pathAndQuery, body) => {
    const text = encoder.encode(`${method}\n${pathAndQuery}\n${body}`)
    const signature = await crypto.subtle.sign('HMAC', await imported, text)
    return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}
