/**
 * One HTTP call, ended as an `Answer` and never as an exception: ofetch without its own retries (a write must not be
 * sent twice behind our back, RULES OC6), signed, with a time limit.
 */
import { createFetch } from 'ofetch'
import { ANSWER_FILE_MAX, ANSWER_MAX } from '#schemas/limits.ts'
import type { Answer } from './outcome.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import type { Bounded } from './limit-size.ts'
import { parseJson, SHORT, textOf } from './parse-json.ts'
import { readBody } from './read-body.ts'
import { createSigner } from './signature.ts'

/** Time limit of one call. */
export const CALL_TIMEOUT_MS = 20_000

export interface HttpCall {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  /** Sent as it is; the signature covers exactly this text. */
  body?: string
  /** Sent instead of a body, as multipart: an upload, which is never signed (crm-contract 2, 5). */
  form?: FormData
  contentType?: string
  headers?: Record<string, string>
  signed?: boolean
  /** How many times the usual time limit it may take: photos over a slow line. */
  patience?: number
  /** The answer's body is a file's bytes (`ArrayBuffer`), unless it is JSON. */
  bytes?: boolean
  /** Only that there is an answer is of interest: its body is not read (spec 7, the probe). */
  withoutBody?: boolean
  /** The answer's JSON is wanted as it came, too. */
  keepText?: boolean
  /** The lock under which it leaves; not at all once that could end before the call. */
  hold?: Lease | undefined
}

export type Http = (call: HttpCall) => Promise<Answer>

/** @param token the session's access token */
export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

interface HttpParts {
  fetch: typeof globalThis.fetch
  securityKey: string
  timeoutMs?: number
  /** Ends every call, when sync stops. */
  stopped?: AbortSignal
  /** Told of every answer in JSON that says the time, or would have to: the only place that reads it (RULES EX3). */
  heard?: (url: string, time: AnswerTime) => void
  /** Told what was not taken of an answer (RULES PL11), and of which path. */
  leftOut?: (path: string, what: readonly string[]) => void
  /** Told of every call that left, when it has ended. */
  ended?: (call: EndedCall) => void
}

/** What a call was, without its contents. */
export interface EndedCall {
  method: HttpCall['method']
  url: string
  /** 0: no answer. */
  status: number
  tookMs: number
  /** Of its body and of the answer's, in bytes; a text counts its characters. */
  sent: number
  received: number
}

/** What an answer says of the time. */
export interface AnswerTime {
  /** Its `Date` (RFC 9110, 6.6.1), epoch ms; null where it cannot be read. */
  date: number | null
  /** It has an `Age`: it comes from a cache, and its `Date` is old. */
  isCached: boolean
  /** How long the call was under way, by a clock that nobody sets. */
  tookMs: number
}

export function createHttp(parts: HttpParts): Http {
  const { fetch, securityKey, timeoutMs = CALL_TIMEOUT_MS, stopped, heard, leftOut, ended } = parts
  const sign = createSigner(securityKey)
  const $fetch = createFetch({ fetch, Headers, AbortController })
  return async ({ method, url, body = '', contentType = 'application/json', headers, ...options }) => {
    const { form, signed = form === undefined, patience = 1, hold, ...reading } = options
    const { pathname, search } = new URL(url)
    const signature = signed ? { 'X-Signature': await sign(method, pathname + search, body) } : {}
    // of a form the browser itself says where its parts begin
    const content = body === '' ? {} : { 'Content-Type': contentType }
    // ofetch's own time limit ends with the headers: a body that stalls would never end
    const limitMs = timeoutMs * patience
    // nothing is awaited between this and the call
    if (hold && !hold.allows(limitMs)) return { kind: 'no-answer', sent: false, late: true }
    const limit = timeLimit(limitMs, stopped)
    const begunAt = performance.now()
    let came = NOTHING_CAME
    try {
      const response = await $fetch.raw<ReadableStream<Uint8Array>, 'stream'>(url, {
        method,
        headers: { Accept: reading.bytes ? '*/*' : 'application/json', ...content, ...headers, ...signature },
        ...(form ? { body: form } : body !== '' && { body }),
        responseType: 'stream',
        ignoreResponseError: true,
        retry: 0,
        signal: limit.signal,
        // the browser keeps no answer: its cache is nobody's to clear (decisions/pull)
        cache: 'no-store',
        // an answer can set no cookie, clear no storage and ask for no password (decisions/hosting)
        credentials: 'omit',
        // followed, a POST would become the GET of a page, and that page the CRM's word (RULES OC7)
        redirect: 'manual',
      })
      came = { status: statusOf(response), received: 0 }
      const { answer, missing, size } = await answerOf(response, response._data ?? null, reading)
      came.received = size
      if (missing.length > 0) leftOut?.(pathname, missing)
      const time = timeOf(response, performance.now() - begunAt)
      if (tellsTime(answer, isNotModified(response, headers), time)) heard?.(url, time)
      return answer
    } catch {
      // also an answer that broke off while it was read: nobody knows what became of the call (RULES OC3)
      return { kind: 'no-answer', sent: true }
    } finally {
      limit.end()
      const tookMs = performance.now() - begunAt
      ended?.({ method, url, tookMs, sent: form ? sizeOfForm(form) : body.length, ...came })
    }
  }
}

const NOTHING_CAME = { status: 0, received: 0 }

/** Any of 3xx: of what it has not followed, a browser says neither which it was nor where it leads. */
const REDIRECTED = 302

/** Also one that was followed all the same, by what lies between. */
const isElsewhere = ({ type, redirected }: Response) => type === 'opaqueredirect' || redirected

const statusOf = (response: Response) => (isElsewhere(response) ? REDIRECTED : response.status)

const sizeOfForm = (form: FormData): number =>
  [...form.values()].reduce((sum, part) => sum + (typeof part === 'string' ? part.length : part.size), 0)

/** A signal for one call: after a time, or when sync stops. (`AbortSignal.any` is not in every browser we support.) */
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

function timeOf({ headers }: Response, tookMs: number): AnswerTime {
  const date = Date.parse(headers.get('date') ?? '')
  return { date: Number.isNaN(date) ? null : date, isCached: headers.has('age'), tookMs }
}

/**
 * A failure need not say the time, and confirms nothing: without a `Date` it is no sign that the CRM says none. A 304 is the
 * CRM's own word, though it has no body.
 */
const tellsTime = (
  { status, isJson }: { status: number; isJson: boolean },
  isSame: boolean,
  time: AnswerTime,
) => isSame || (isJson && (time.date !== null || status < 400))

/** Asked under a condition, and told that it still holds. */
const isNotModified = ({ status }: Response, headers: HttpCall['headers'] = {}) =>
  status === 304 && 'If-None-Match' in headers

/** What of an answer is read. */
type Reading = Pick<HttpCall, 'bytes' | 'keepText' | 'withoutBody'>

async function answerOf(
  response: Response,
  stream: ReadableStream<Uint8Array> | null,
  { bytes = false, keepText = false, withoutBody = false }: Reading,
): Promise<{ answer: Extract<Answer, { kind: 'answer' }>; missing: readonly string[]; size: number }> {
  if (withoutBody) await stream?.cancel()
  if (withoutBody || isElsewhere(response))
    return { answer: answerWith(response, null, ''), missing: [], size: 0 }
  const isJsonType = /json/i.test(response.headers.get('content-type') ?? '')
  // not an empty one: nothing at all would say of a 404 that there is none (RULES OC7)
  const nothing = (what: readonly string[], size: number) => ({
    answer: answerWith(response, null, '…'),
    missing: what,
    size,
  })
  if (bytes && !isJsonType) {
    const file = await readBody(stream, ANSWER_FILE_MAX)
    // one that is longer is none: the same would come the next time
    const content = file?.buffer ?? new ArrayBuffer(0)
    const missing = file ? [] : [`all of its more than ${ANSWER_FILE_MAX} bytes`]
    return { answer: answerWith(response, null, content), missing, size: content.byteLength }
  }
  const body = await readBody(stream, ANSWER_MAX)
  if (!body) return nothing([`all of its more than ${ANSWER_MAX} bytes`], ANSWER_MAX)
  const size = body.byteLength
  const parsed = await parseJson(body)
  if (parsed?.isTooLarge) return nothing(parsed.leftOut, size)
  const missing = parsed?.leftOut ?? []
  // what was cut is read anew: kept whole, it would be as large as what was not taken
  const isKept = keepText && parsed !== null && missing.length === 0
  // what is no JSON is looked at no further
  const text = isKept ? textOf(body) : parsed ? '' : textOf(body.subarray(0, SHORT))
  const answer = answerWith(response, parsed, text)
  return { answer: isKept ? { ...answer, text } : answer, missing, size }
}

/** @param parsed null where it is no JSON */
function answerWith(response: Response, parsed: Bounded | null, raw: string | ArrayBuffer) {
  const total = /^\s*(\d{1,15})\s*$/.exec(response.headers.get('x-total-count') ?? '')?.[1]
  return {
    kind: 'answer' as const,
    status: statusOf(response),
    body: parsed ? parsed.body : raw,
    isJson: parsed !== null,
    // rows that were left out are there: such a list is not complete, and nothing is missing from it (RULES PL1)
    total: total === undefined ? (parsed?.rows ?? null) : Number(total),
    retryAfter: response.headers.get('retry-after'),
    etag: response.headers.get('etag'),
  }
}
