/**
 * Reads that ask whether what is kept still holds (decisions/pull):
 *
 *     kept ─→ If-None-Match ─┬─ 304, of this tag ─→ 200, from what is kept
 *                            ├─ 304, of another ──→ read again without a condition
 *                            └─ 200 ─→ kept instead
 *
 * From another origin the header has to be allowed; where it is not, the browser sends nothing and says "network error".
 * Each time a condition was not answered twice in a row, one call goes without it; when that happened three times and
 * nothing with a condition was answered in between, it is not the signal, and no more are sent until the next start.
 */
import type { Answer } from './outcome.ts'
import type { Http, HttpCall } from './http.ts'
import { isSameTag, isTag, toCache, type CachedAnswer, type AnswerCache } from './http-cache.ts'
import { parseJson } from './parse-json.ts'

const NOT_MODIFIED = 304
const UNANSWERED_MAX = 2
const DISPROVED_MAX = 3

/** What is known of conditions on the way to the CRM: a value. */
export interface Conditions {
  unanswered: number
  /** So often a call without one was answered where two with one were not. */
  disproved: number
}

export const NO_DOUBT: Conditions = { unanswered: 0, disproved: 0 }

export const mayAsk = ({ unanswered, disproved }: Conditions): boolean =>
  unanswered < UNANSWERED_MAX && disproved < DISPROVED_MAX

/** @param asked with a condition */
export function conditionsAfter(before: Conditions, asked: boolean, answer: Answer): Conditions {
  // it never left: that says nothing
  if (answer.kind === 'no-answer' && !answer.sent) return before
  const isAnswered = answer.kind === 'answer'
  if (asked) return isAnswered ? NO_DOUBT : { ...before, unanswered: before.unanswered + 1 }
  if (!isAnswered || before.unanswered < UNANSWERED_MAX) return before
  return { unanswered: UNANSWERED_MAX - 1, disproved: before.disproved + 1 }
}

/** An `Http` for reads, which keeps what it reads. */
export function createConditionalGet(http: Http, kept: AnswerCache): Http {
  let conditions = NO_DOUBT
  return async (call) => {
    const known = mayAsk(conditions) ? await kept.get(call.url) : undefined
    const answer = await http(asking(call, known))
    conditions = conditionsAfter(conditions, known !== undefined, answer)
    if (known && answer.kind === 'answer' && answer.status === NOT_MODIFIED) {
      const held = await fromKept(answer, known)
      if (held) kept.confirm(call.url)
      else kept.remove(call.url)
      return held ?? storing(kept, call, await http(asking(call)))
    }
    return storing(kept, call, answer)
  }
}

const asking = (call: HttpCall, known?: CachedAnswer): HttpCall => ({
  ...call,
  keepText: true,
  ...(known && { headers: { ...call.headers, 'If-None-Match': known.etag } }),
})

/** What a 304 stands for; null where it speaks of another answer, or what is kept cannot be read any more. */
async function fromKept(
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

/** A new answer takes the place of the one before; what is not there any more is not kept. */
function storing(kept: AnswerCache, { url }: HttpCall, answer: Answer): Answer {
  const next = toCache(answer)
  if (next) kept.put(url, next)
  else if (answer.kind === 'answer' && (answer.status === 200 || answer.status === 404)) kept.remove(url)
  return answer
}
