/**
 * What came of a call, decided by status and error type, never by message text (RULES, "Outcome of a call").
 *
 *     answer ─→ accepted │ refused │ missing │ throttled │ unauthorized │ unknown
 *     no answer ─→ unreachable (it never left the device, or was a read) │ unknown (a write that may have arrived)
 */
import { refusalReasons } from '#schemas/api-error.ts'
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { PRECONDITION_FAILED, strongTag } from './strong-tag.ts'
import { retryAfterMs } from './retry-after.ts'

/** A call's raw end. `sent: false`: it certainly never left the device. */
export type Answer =
  | {
      kind: 'answer'
      status: number
      body: unknown
      isJson: boolean
      total: number | null
      retryAfter: string | null
      etag?: string | null
      /** What `body` was read from, where the call asked for it. */
      text?: string
    }
  /**
   * `late`: not sent because its lock could be another's before it ended; `held`: because the way is closed for now (OC10).
   * Neither says whether the CRM can be reached.
   */
  | { kind: 'no-answer'; sent: boolean; late?: boolean; held?: boolean }

export type Outcome =
  /** `etag`: strong, of what was read. */
  | { kind: 'accepted'; status: number; body: unknown; total: number | null; etag?: string }
  | { kind: 'refused'; status: number; reasons: string[] }
  | { kind: 'missing'; status: number; reasons: string[] }
  | { kind: 'unknown'; status: number }
  /** The record is not as it was when it was read (`If-Match`): nothing was done (RULES MG4). */
  | { kind: 'stale'; status: number }
  /** `held`: it was not let out, which says nothing of what it was for (RULES OC10). */
  | { kind: 'unreachable'; held?: true }
  | { kind: 'throttled'; status: number; retryAfterMs: number }
  /** `reasons`: the session is not over, and the file store takes no token of it all the same. */
  | { kind: 'unauthorized'; status: number; reasons?: string[] }

/** Of a call that has no token to leave with. */
export const UNAUTHORIZED: Answer = {
  kind: 'answer',
  status: 401,
  body: null,
  isJson: true,
  total: null,
  retryAfter: null,
}
/** Of what was sent: no outage says so, and a page that does is right (an upload beyond a gateway's limit). */
export const TOO_LARGE = 413

/**
 * @param call `write` when the call changes something, `read` otherwise
 * @param now epoch ms, for a `Retry-After` given as a date
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
  // a gateway's page is nobody's word: only the CRM's JSON refuses (RULES OC7)
  if (status === 202) return answer.isJson ? refused(answer) : { kind: 'unknown', status }
  if (status === 204) return { kind: 'accepted', status, body: null, total: null }
  // a captive portal answers 200 with a page of its own: nothing is known about the CRM (RULES OC3)
  if (status >= 200 && status < 300) return answer.isJson ? accepted(answer) : { kind: 'unknown', status }
  // it refuses no content; of a call that asked for it, its sender knows what it means
  if (status === PRECONDITION_FAILED) return { kind: 'unknown', status }
  // the contract leaves its body open: nothing at all is as good as JSON
  if (status === 404 && (answer.isJson || isEmpty(body)))
    return { kind: 'missing', status, reasons: refusalReasons(body) }
  if (status === TOO_LARGE || (answer.isJson && status >= 400 && status < 500 && status !== 408))
    return refused(answer)
  return { kind: 'unknown', status }
}

type Given = Extract<Answer, { kind: 'answer' }>

function accepted({ status, body, total, etag: header }: Given): Outcome {
  const etag = strongTag(header)
  return { kind: 'accepted', status, body, total, ...(etag !== undefined && { etag }) }
}

const refused = ({ status, body }: Given): Outcome => ({
  kind: 'refused',
  status,
  reasons: refusalReasons(body),
})

const isEmpty = (body: unknown) =>
  body === null || body === '' || (body instanceof ArrayBuffer && body.byteLength === 0)
