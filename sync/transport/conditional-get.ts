/**
 * Makes reads conditional, so that the CRM only confirms a cached answer that is still valid (decisions/pull).
 *
 *     cached ─→ If-None-Match ─┬─ 304 with this tag ─────→ 200, from the cache
 *                              ├─ 304 with another tag ──→ read again without a condition
 *                              └─ 200 ─→ replaces the cached answer
 *
 * If a server on another origin does not allow the header (CORS), the browser reports a network error, as without a
 * signal. So after two unanswered conditional calls in a row, one call is sent without the header. Once three calls
 * without the header but no conditional call were answered, no further call has the header until the next start.
 */
import { isTag, type Answer } from './outcome.ts'
import type { Http } from './http.ts'
import { parseJson } from './parse-json.ts'

/** `text`: the JSON text as received. `total`: `x-total-count` of the answer. */
export type CachedAnswer = { etag: string; text: string; total: number | null }

/** The cache of one user. A lost entry costs only a full answer. No method throws. */
export interface AnswerCache {
  get(url: string): Promise<CachedAnswer | undefined>
  put(url: string, answer: CachedAnswer): void
  /** Called when the CRM has confirmed a cached answer. */
  confirm(url: string): void
  remove(url: string): void
  /** Deletes entries that the CRM has not confirmed for a day. @param now epoch ms */
  expire(now: number): Promise<void>
}

const NOT_MODIFIED = 304
/** After this many unanswered calls in a row with the header, one call is sent without the header. */
const UNANSWERED_MAX = 2
const HEADER_FAILURES_MAX = 3

/** Decides whether a call carries a header that the server may not allow. @param failuresMax after so many, never again */
export function createOptionalHeader(failuresMax = Infinity) {
  let [unansweredInARow, failures] = [0, 0]
  return {
    isAllowed: () => unansweredInARow < UNANSWERED_MAX && failures < failuresMax,
    /** Called at the end of a call that has left the device. */
    ended(hadHeader: boolean, isAnswered: boolean): void {
      if (hadHeader) [unansweredInARow, failures] = isAnswered ? [0, 0] : [unansweredInARow + 1, failures]
      else if (isAnswered && unansweredInARow >= UNANSWERED_MAX)
        [unansweredInARow, failures] = [UNANSWERED_MAX - 1, failures + 1]
    },
  }
}

/** Wraps an `Http` with conditional reads and a cache. */
export function createConditionalGet(http: Http, cache: AnswerCache): Http {
  const header = createOptionalHeader(HEADER_FAILURES_MAX)
  return async (call) => {
    const { url } = call
    const cached = header.isAllowed() ? await cache.get(url) : undefined
    const condition = cached && { headers: { ...call.headers, 'If-None-Match': cached.etag } }
    const answer = await http({ ...call, withText: true, ...condition })
    const isAnswered = answer.kind === 'answer'
    if (isAnswered || answer.sent) header.ended(cached !== undefined, isAnswered)
    if (!cached || !isAnswered || answer.status !== NOT_MODIFIED) return cacheAnswer(cache, url, answer)
    const { etag, total } = answer
    const isOther = isTag(etag) && opaque(etag) !== opaque(cached.etag)
    const parsed = isOther ? null : await parseJson(new TextEncoder().encode(cached.text))
    if (!parsed) {
      cache.remove(url)
      return cacheAnswer(cache, url, await http({ ...call, withText: true }))
    }
    cache.confirm(url)
    const known = { etag: etag ?? cached.etag, total: total ?? cached.total }
    return { ...answer, status: 200, isJson: true, body: parsed.body, ...known }
  }
}

/** Caches an answer, or removes the cached answer if the new one has no ETag or the resource no longer exists. */
function cacheAnswer(cache: AnswerCache, url: string, answer: Answer): Answer {
  if (answer.kind !== 'answer') return answer
  const { status, text, etag, total } = answer
  if (status === 200 && text !== undefined && isTag(etag)) cache.put(url, { etag, text, total })
  else if (status === 200 || status === 404) cache.remove(url)
  return answer
}

const opaque = (tag: string) => tag.replace(/^W\//, '')
