/**
 * Decides the outcome of a call by status and error type, never by message text (RULES, "Outcome of a call").
 *
 *     answer ─→ accepted │ refused │ missing │ throttled │ unauthorized │ unknown
 *     no answer ─→ unreachable (a read, or a call that never left) │ unknown (a write that may have arrived)
 */
import { refusalReasons, INVALID_TOKEN } from '#schemas/api-error.ts'
import { retryAfterMs } from '#sync/lib/backoff.ts'

/** The result of a call before it is interpreted. */
export type Answer = Answered | NoAnswer

export interface Answered {
  kind: 'answer'
  status: number
  body: unknown
  isJson: boolean
  total: number | null
  retryAfter: string | null
  etag?: string | null
  text?: string
}

/** `sent: false`: the call never left. `held`: by the circuit breaker (OC10), a missing token or the end of a lease. */
type NoAnswer = { kind: 'no-answer'; sent: boolean; held?: boolean }

/**
 * `etag`: the strong ETag of the body, if the CRM sent one. `stale`: the record has changed since it was read, so
 * `If-Match` prevented the write (RULES MG4). `held`: the call was not made, so it says nothing about the record.
 * `reasons` of `unauthorized`: set if the session is valid and only the file store refuses its tokens.
 */
export type Outcome =
  | { kind: 'accepted'; status: number; body: unknown; total: number | null; etag?: string }
  | { kind: 'refused' | 'missing'; status: number; reasons: string[] }
  | { kind: 'unknown' | 'stale'; status: number }
  | { kind: 'unreachable'; held?: true }
  | { kind: 'throttled'; status: number; retryAfterMs: number }
  | { kind: 'unauthorized'; status: number; reasons?: string[] }

const NOTHING = { body: null, isJson: true, total: null, retryAfter: null }
/** Returned if a call needs a session and there is none. */
export const UNAUTHORIZED: Answer = { kind: 'answer', status: 401, ...NOTHING }
/** Returned if a call was not made. */
export const NOT_SENT: Answer = { kind: 'no-answer', sent: false, held: true }
/** "Content too large". Gateways limit uploads, so a page with this status is a refusal too, and no sign of an outage. */
export const TOO_LARGE = 413

/** @param now epoch ms, which a `Retry-After` with a date needs */
export function outcomeOf(answer: Answer, call: 'read' | 'write', now: number): Outcome {
  if (answer.kind === 'no-answer') {
    if (call === 'write' && answer.sent) return { kind: 'unknown', status: 0 }
    return { kind: 'unreachable', ...(answer.held === true && { held: true }) }
  }
  const { status, body, isJson, total } = answer
  const unknown = { kind: 'unknown', status } as const
  if (status === 401 || status === INVALID_TOKEN) return { kind: 'unauthorized', status }
  if (status === 429 || status === 503)
    return { kind: 'throttled', status, retryAfterMs: retryAfterMs(answer.retryAfter, now) }
  // A page comes from a gateway, so only JSON is a refusal by the CRM (RULES OC7).
  if (status === 202) return isJson ? { kind: 'refused', status, reasons: refusalReasons(body) } : unknown
  if (status === 204) return { kind: 'accepted', status, body: null, total: null }
  // The login page of a public Wi-Fi has status 200 too, and says nothing about the CRM (RULES OC3).
  if (status >= 200 && status < 300) {
    const etag = strongTag(answer.etag)
    return isJson ? { kind: 'accepted', status, body, total, ...(etag && { etag }) } : unknown
  }
  // It does not refuse the content. For a call with `If-Match`, `api.ts` makes it `stale`.
  if (status === PRECONDITION_FAILED) return unknown
  const isEmpty = body === null || body === '' || (body instanceof ArrayBuffer && body.byteLength === 0)
  const reasons = refusalReasons(body)
  // An empty 404 counts like JSON, because the contract does not define the body of a 404.
  if (status === 404 && (isJson || isEmpty)) return { kind: 'missing', status, reasons }
  const isRefusal = status === TOO_LARGE || (isJson && status >= 400 && status < 500 && status !== 408)
  return isRefusal ? { kind: 'refused', status, reasons } : unknown
}

/** A strong ETag, as `If-Match` requires (RULES MG4): visible ASCII between quotes. */
export const strongTag = (header: string | null | undefined): string | undefined =>
  isTag(header) && header.startsWith('"') ? header : undefined

/** Strong and weak ETags. A weak ETag is enough for reads (RFC 9110 8.8.3.2). */
export const isTag = (header: string | null | undefined): header is string =>
  /^(?:W\/)?"[\x21\x23-\x7e]{1,256}"$/.test(header ?? '')

export const PRECONDITION_FAILED = 412
