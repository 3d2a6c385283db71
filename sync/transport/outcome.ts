/**
 * Decides the outcome of a call by status and error type, never by message text (RULES, "Outcome of a call").
 *
 *     answer ─→ accepted │ refused │ missing │ throttled │ unauthorized │ unknown
 *     no answer ─→ unreachable (it never left the device, or was a read) │ unknown (a write that may have arrived)
 */
import { refusalReasons } from '#schemas/api-error.ts'
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { retryAfterMs } from '#sync/lib/backoff.ts'

/** How a call ended. `sent: false`: the call certainly never left the device. */
export type Answer =
  | {
      kind: 'answer'
      status: number
      body: unknown
      isJson: boolean
      total: number | null
      retryAfter: string | null
      etag?: string | null
      /** The JSON text of `body`, if the call requested it. */
      text?: string
    }
  /**
   * `late`: not sent, because its lease could end before the call does. `held`: not sent, because the circuit breaker
   * admits no call (OC10) or the call has no valid token. Neither shows whether the CRM is reachable.
   */
  | { kind: 'no-answer'; sent: boolean; late?: boolean; held?: boolean }

export type Outcome =
  /** `etag`: the strong ETag of the body, if the CRM sent one. */
  | { kind: 'accepted'; status: number; body: unknown; total: number | null; etag?: string }
  | { kind: 'refused'; status: number; reasons: string[] }
  | { kind: 'missing'; status: number; reasons: string[] }
  | { kind: 'unknown'; status: number }
  /** The record has changed since it was read (`If-Match`): nothing was done (RULES MG4). */
  | { kind: 'stale'; status: number }
  /** `held`: the call was not made, so the record itself has not failed (RULES OC10). */
  | { kind: 'unreachable'; held?: true }
  | { kind: 'throttled'; status: number; retryAfterMs: number }
  /** `reasons`: the session is valid, but the file store accepts no token that belongs to the session. */
  | { kind: 'unauthorized'; status: number; reasons?: string[] }

/** Returned instead of an answer if a call needs a session and there is none. */
export const UNAUTHORIZED: Answer = {
  kind: 'answer',
  status: 401,
  body: null,
  isJson: true,
  total: null,
  retryAfter: null,
}
/** Returned instead of an answer if the call was not made. */
export const NOT_SENT: Answer = { kind: 'no-answer', sent: false, held: true }
/**
 * Status "content too large". It counts as a refusal even if the body is a page, because a gateway refuses uploads
 * beyond its limit in this way. It never counts as an outage.
 */
export const TOO_LARGE = 413

/**
 * Decides the outcome of a call.
 * @param call `write` if the call changes something, else `read`
 * @param now epoch ms, for a `Retry-After` that is a date
 */
export function outcomeOf(answer: Answer, call: 'read' | 'write', now: number): Outcome {
  if (answer.kind === 'no-answer')
    return call === 'write' && answer.sent
      ? { kind: 'unknown', status: 0 }
      : { kind: 'unreachable', ...(answer.held === true && { held: true }) }
  const { status, body } = answer
  if (status === 401 || status === INVALID_TOKEN) return { kind: 'unauthorized', status }
  if (status === 429 || status === 503)
    return { kind: 'throttled', status, retryAfterMs: retryAfterMs(answer.retryAfter, now) }
  // Only JSON of the CRM is a refusal; a page comes from a gateway (RULES OC7).
  if (status === 202) return answer.isJson ? refused(answer) : { kind: 'unknown', status }
  if (status === 204) return { kind: 'accepted', status, body: null, total: null }
  // A captive portal answers 200 with its own page, which says nothing about the CRM (RULES OC3).
  if (status >= 200 && status < 300) return answer.isJson ? accepted(answer) : { kind: 'unknown', status }
  // 412 does not refuse the content. `api.ts` interprets it if the call had `If-Match`.
  if (status === PRECONDITION_FAILED) return { kind: 'unknown', status }
  // The contract does not specify the body of a 404, so an empty body counts like JSON.
  if (status === 404 && (answer.isJson || isEmpty(body)))
    return { kind: 'missing', status, reasons: refusalReasons(body) }
  if (status === TOO_LARGE || (answer.isJson && status >= 400 && status < 500 && status !== 408))
    return refused(answer)
  return { kind: 'unknown', status }
}

type Answered = Extract<Answer, { kind: 'answer' }>

function accepted({ status, body, total, etag: header }: Answered): Outcome {
  const etag = strongTag(header)
  return { kind: 'accepted', status, body, total, ...(etag !== undefined && { etag }) }
}

const refused = ({ status, body }: Answered): Outcome => ({
  kind: 'refused',
  status,
  reasons: refusalReasons(body),
})

const isEmpty = (body: unknown) =>
  body === null || body === '' || (body instanceof ArrayBuffer && body.byteLength === 0)

/** A strong ETag, which a PUT may name in `If-Match` (RULES MG4): visible ASCII between quotes. */
const STRONG_TAG = /^"[\x21\x23-\x7e]{1,256}"$/

/**
 * Returns a strong ETag; undefined for anything else.
 * @param header as the CRM sent it
 */
export const strongTag = (header: string | null | undefined): string | undefined =>
  header && STRONG_TAG.test(header) ? header : undefined

export const PRECONDITION_FAILED = 412
