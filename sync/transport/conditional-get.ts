/**
 * Makes reads conditional, so that the CRM only confirms a cached answer that is still valid (decisions/pull).
 *
 *     cached ─→ If-None-Match ─┬─ 304 with this tag ─────→ 200, from the cache
 *                              ├─ 304 with another tag ──→ read again without a condition
 *                              └─ 200 ─→ replaces the cached answer
 *
 * If a server on another origin does not allow the `If-None-Match` header (CORS), the browser reports a network
 * error, as without a signal. So after two conditional calls in a row without an answer, one call is sent without the
 * header. If such a call is answered three times while no conditional call is, conditional calls end until the next
 * start.
 */
import type { Answer } from './outcome.ts'
import type { Http, HttpCall } from './http.ts'
import { parseJson } from './parse-json.ts'

export interface CachedAnswer {
  etag: string
  /** The JSON text as received. */
  text: string
  /** `x-total-count` of the answer. */
  total: number | null
}

/** The cache of one user. A lost entry costs only a full answer. No method throws. */
export interface AnswerCache {
  get(url: string): Promise<CachedAnswer | undefined>
  put(url: string, answer: CachedAnswer): void
  /** Called when the CRM has confirmed a cached answer. */
  confirm(url: string): void
  remove(url: string): void
  /**
   * Deletes entries that the CRM has not confirmed for a day.
   * @param now epoch ms
   */
  expire(now: number): Promise<void>
}

const NOT_MODIFIED = 304
/** After this many unanswered calls in a row with the header, one call is sent without the header. */
export const UNANSWERED_MAX = 2
const HEADER_FAILURES_MAX = 3

/** Counts of failed calls whose header the server may not allow. */
export interface Conditions {
  /** Number of calls in a row with the header and without an answer. */
  unansweredInARow: number
  /** How often a call without the header was answered directly after unanswered calls with the header. */
  headerFailures: number
}

export const NO_FAILURES: Conditions = { unansweredInARow: 0, headerFailures: 0 }

/** True if the next read may be conditional. */
export const mayBeConditional = ({ unansweredInARow, headerFailures }: Conditions): boolean =>
  unansweredInARow < UNANSWERED_MAX && headerFailures < HEADER_FAILURES_MAX

/** The counts after a call that has left the device. */
export function conditionsAfter(before: Conditions, hadHeader: boolean, isAnswered: boolean): Conditions {
  if (hadHeader)
    return isAnswered ? NO_FAILURES : { ...before, unansweredInARow: before.unansweredInARow + 1 }
  if (!isAnswered || before.unansweredInARow < UNANSWERED_MAX) return before
  return { unansweredInARow: UNANSWERED_MAX - 1, headerFailures: before.headerFailures + 1 }
}

/** Wraps an `Http` with conditional reads and a cache. */
export function createConditionalGet(http: Http, cache: AnswerCache): Http {
  let conditions = NO_FAILURES
  return async (call) => {
    const cached = mayBeConditional(conditions) ? await cache.get(call.url) : undefined
    const answer = await http(withCondition(call, cached))
    const isAnswered = answer.kind === 'answer'
    if (isAnswered || answer.sent) conditions = conditionsAfter(conditions, cached !== undefined, isAnswered)
    if (cached && isAnswered && answer.status === NOT_MODIFIED) {
      const confirmed = await fromCache(answer, cached)
      if (confirmed) cache.confirm(call.url)
      else cache.remove(call.url)
      return confirmed ?? cacheAnswer(cache, call, await http(withCondition(call)))
    }
    return cacheAnswer(cache, call, answer)
  }
}

const withCondition = (call: HttpCall, cached?: CachedAnswer): HttpCall => ({
  ...call,
  withText: true,
  ...(cached && { headers: { ...call.headers, 'If-None-Match': cached.etag } }),
})

/**
 * Turns a 304 into a 200 with the cached body; null if the 304 has another ETag or the cached text does not parse.
 */
async function fromCache(
  answer: Extract<Answer, { kind: 'answer' }>,
  cached: CachedAnswer,
): Promise<Answer | null> {
  if (isTag(answer.etag) && !isSameTag(answer.etag, cached.etag)) return null
  const parsed = await parseJson(new TextEncoder().encode(cached.text))
  if (!parsed) return null
  const etag = answer.etag ?? cached.etag
  return {
    ...answer,
    status: 200,
    body: parsed.body,
    isJson: true,
    total: answer.total ?? cached.total,
    etag,
  }
}

/** Caches an answer, or removes the cached answer if the new one has no ETag or the resource no longer exists. */
function cacheAnswer(cache: AnswerCache, { url }: HttpCall, answer: Answer): Answer {
  const next = toCache(answer)
  if (next) cache.put(url, next)
  else if (answer.kind === 'answer' && (answer.status === 200 || answer.status === 404)) cache.remove(url)
  return answer
}

/** Strong and weak ETags. A weak ETag is enough for reads (RFC 9110 8.8.3.2). */
const TAG = /^(?:W\/)?"[\x21\x23-\x7e]{1,256}"$/

const isTag = (header: string | null | undefined): header is string => TAG.test(header ?? '')

/** Weak comparison, which ignores the prefix `W/` (RFC 9110 8.8.3.2). */
const isSameTag = (a: string, b: string): boolean => opaque(a) === opaque(b)
const opaque = (tag: string) => tag.replace(/^W\//, '')

/** The cache entry for an answer; undefined if the answer must not be cached. */
function toCache(answer: Answer): CachedAnswer | undefined {
  if (answer.kind !== 'answer' || answer.status !== 200 || answer.text === undefined) return undefined
  const { etag, text, total } = answer
  return isTag(etag) ? { etag, text, total } : undefined
}
