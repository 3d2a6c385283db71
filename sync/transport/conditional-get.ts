/**
 * Conditional reads, which ask whether the cached answer is still valid (decisions/pull):
 *
 *     cached ─→ If-None-Match ─┬─ 304 with this tag ─────→ 200, from the cache
 *                              ├─ 304 with another tag ──→ read again without a condition
 *                              └─ 200 ─→ replaces the cached answer
 *
 * On another origin the server must allow the header, otherwise the browser sends nothing and reports a
 * network error. After two conditional calls in a row without an answer, one call goes without a condition.
 * After that has happened three times without any conditional call being answered in between, the cause is
 * not the signal, and no more are sent until the next start.
 */
import type { Answer } from './outcome.ts'
import type { Http, HttpCall } from './http.ts'
import { isSameTag, isTag, toCache, type CachedAnswer, type AnswerCache } from './http-cache.ts'
import { parseJson } from './parse-json.ts'

const NOT_MODIFIED = 304
const UNANSWERED_MAX = 2
const DISPROVED_MAX = 3

/** What is known about conditional calls to the CRM. */
export interface Conditions {
  unanswered: number
  /** How often an unconditional call was answered after two conditional ones were not. */
  disproved: number
}

export const NO_DOUBT: Conditions = { unanswered: 0, disproved: 0 }

/** True if the next read may be conditional. */
export const mayAsk = ({ unanswered, disproved }: Conditions): boolean =>
  unanswered < UNANSWERED_MAX && disproved < DISPROVED_MAX

/**
 * The state after a call.
 * @param asked true if the call was conditional
 */
export function conditionsAfter(before: Conditions, asked: boolean, answer: Answer): Conditions {
  // It never left, which says nothing.
  if (answer.kind === 'no-answer' && !answer.sent) return before
  const isAnswered = answer.kind === 'answer'
  if (asked) return isAnswered ? NO_DOUBT : { ...before, unanswered: before.unanswered + 1 }
  if (!isAnswered || before.unanswered < UNANSWERED_MAX) return before
  return { unanswered: UNANSWERED_MAX - 1, disproved: before.disproved + 1 }
}

/** Wraps an `Http` for reads and caches what it reads. */
export function createConditionalGet(http: Http, cache: AnswerCache): Http {
  let conditions = NO_DOUBT
  return async (call) => {
    const known = mayAsk(conditions) ? await cache.get(call.url) : undefined
    const answer = await http(asking(call, known))
    conditions = conditionsAfter(conditions, known !== undefined, answer)
    if (known && answer.kind === 'answer' && answer.status === NOT_MODIFIED) {
      const cached = await fromCache(answer, known)
      if (cached) cache.confirm(call.url)
      else cache.remove(call.url)
      return cached ?? storing(cache, call, await http(asking(call)))
    }
    return storing(cache, call, answer)
  }
}

const asking = (call: HttpCall, known?: CachedAnswer): HttpCall => ({
  ...call,
  keepText: true,
  ...(known && { headers: { ...call.headers, 'If-None-Match': known.etag } }),
})

/**
 * The answer that a 304 confirms; null if it confirms another one, or if the cached text cannot be parsed.
 */
async function fromCache(
  answer: Extract<Answer, { kind: 'answer' }>,
  known: CachedAnswer,
): Promise<Answer | null> {
  if (isTag(answer.etag) && !isSameTag(answer.etag, known.etag)) return null
  const parsed = await parseJson(new TextEncoder().encode(known.text))
  if (!parsed) return null
  const etag = answer.etag ?? known.etag
  return {
    ...answer,
    status: 200,
    body: parsed.body,
    isJson: true,
    total: answer.total ?? known.total,
    etag,
  }
}

/** Caches a new answer in place of the old one, and removes one that no longer exists. */
function storing(cache: AnswerCache, { url }: HttpCall, answer: Answer): Answer {
  const next = toCache(answer)
  if (next) cache.put(url, next)
  else if (answer.kind === 'answer' && (answer.status === 200 || answer.status === 404)) cache.remove(url)
  return answer
}
