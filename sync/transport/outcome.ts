/**
 * Decides the outcome of a call by status and error type, never by message text (RULES, "Outcome of a call").
 *
 *     answer ─→ accepted │ refused │ missing │ throttled │ unauthorized │ unknown
 *     no answer ─→ unreachable (a read, or a call that never left) │ unknown (a write that may have arrived)
 */
import { refusalReasons } from '#schemas/api-error.ts'
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { retryAfterMs } from '#sync/lib/backoff.ts'

/** The result of a call before it is interpreted. `sent: false`: the call certainly never left the device. */
export type Answer =
  | {
      kind: 'answer'
      status: number
      body: unknown
      isJson: boolean
      total: number | null
      retryAfter: string | null
      etag?: string | null
      /** JSON text of `body`, if the call requested it. */
      text?: string
    }
  /**
   * `late`: not sent because the call could have ended after its lease. `held`: not sent because of the circuit
   * breaker (OC10) or a missing token. Neither shows whether the CRM is reachable.
   */
  | { kind: 'no-answer'; sent: boolean; late?: boolean; held?: boolean }

export type Outcome =
  /** `etag`: the strong ETag of the body, if the CRM sent one. */
  | { kind: 'accepted'; status: number; body: unknown; total: number | null; etag?: string }
  | { kind: 'refused'; status: number; reasons: string[] }
  | { kind: 'missing'; status: number; reasons: string[] }
  | { kind: 'unknown'; status: number }
  /**
   * The CRM answered 412: the record has changed since it was read, so `If-Match` prevented the write (RULES MG4).
   */
  | { kind: 'stale'; status: number }
  /** `held`: the call was not made, so it says nothing about the record (RULES OC10). */
  | { kind: 'unreachable'; held?: true }
  | { kind: 'throttled'; status: number; retryAfterMs: number }
  /** `reasons`: set if the session is valid and only the file store refuses its tokens. */
  | { kind: 'unauthorized'; status: number; reasons?: string[] }

/** Returned if a call needs a session and there is none. */
export const UNAUTHORIZED: Answer = {
  kind: 'answer',
  status: 401,
  body: null,
  isJson: true,
  total: null,
  retryAfter: null,
}
/** Returned if a call was not made. */
export const NOT_SENT: Answer = { kind: 'no-answer', sent: false, held: true }
/**
 * Status 413, "content too large". Gateways limit uploads, so an HTML page with this status is a refusal as well, and
 * no sign of an outage.
 */
export const TOO_LARGE = 413

/**
 * Decides the outcome of a call.
 * @param call `write` if the call changes something in the CRM, otherwise `read`
 * @param now epoch ms, which a `Retry-After` with a date needs
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
  // A page comes from a gateway, so only JSON is a refusal by the CRM (RULES OC7).
  if (status === 202) return answer.isJson ? refused(answer) : { kind: 'unknown', status }
  if (status === 204) return { kind: 'accepted', status, body: null, total: null }
  // The login page of a public Wi-Fi has status 200 too, and says nothing about the CRM (RULES OC3).
  if (status >= 200 && status < 300) return answer.isJson ? accepted(answer) : { kind: 'unknown', status }
  // Status 412 does not refuse the content, so the outcome is unknown. For a call with `If-Match`, `api.ts` makes it
  // `stale`.
  if (status === PRECONDITION_FAILED) return { kind: 'unknown', status }
  // An empty 404 counts like JSON, because the contract does not define the body of a 404.
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

/** A strong ETag, as `If-Match` requires (RULES MG4): visible ASCII between quotes. */
const STRONG_TAG = /^"[\x21\x23-\x7e]{1,256}"$/

/** Returns the header if it is a strong ETag, otherwise undefined. */
export const strongTag = (header: string | null | undefined): string | undefined =>
  header && STRONG_TAG.test(header) ? header : undefined

export const PRECONDITION_FAILED = 412
