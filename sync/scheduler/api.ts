/** Makes the CRM's REST calls as one user. The scheduler decides when a call may begin; no call is retried here. */
import { outcomeOf, type Answer, type Outcome, PRECONDITION_FAILED, isTag } from '#sync/transport/outcome.ts'
import type { ReadOptions, Scheduler } from './scheduler.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { bearer, type Http } from '#sync/transport/http.ts'
import type { SessionTokens } from '#sync/transport/session-tokens.ts'
import { parseJson } from '#sync/transport/parse-json.ts'

export type Query = Record<string, string | number | undefined>

/**
 * `path`: for example `quickReport/`. `idempotencyKey`: sent as Idempotency-Key with a creating call. `ifMatch`: strong
 * ETag of the record state that the body was computed from (RULES MG4), sent as If-Match if allowed.
 */
export interface WriteCall {
  method: 'POST' | 'PUT'
  path: string
  body: object
  idempotencyKey?: string
  ifMatch?: string
}

export interface Reader {
  read(path: string, query?: Query): Promise<Outcome>
}

export type PullApi = ReturnType<typeof createApi>
export type Api = Omit<PullApi, 'accepted'>

/**
 * `answers`: the user's HTTP cache; without it reads are unconditional. `begin`: called when a call begins; returns a
 * function to call at its end, with true if the CRM was reached.
 */
interface Parts {
  http: Http
  scheduler: Pick<Scheduler, 'read'>
  tokens: SessionTokens
  rest: string
  now: () => number
  answers?: AnswerCache | undefined
  begin: () => (reached: boolean) => void
}

export function createApi({ http, scheduler, tokens, rest, now, answers, begin }: Parts) {
  let accepted = 0
  async function outcomeFor(call: 'read' | 'write', sent: () => Promise<Answer>): Promise<Outcome> {
    const reached = begin()
    const answer = await sent()
    const outcome = outcomeOf(answer, call, now())
    if (outcome.kind === 'accepted') accepted += 1
    // A 5xx, or a 4xx page, proves that the CRM was reached. A 200 that is no JSON comes from a captive portal.
    if (answer.kind === 'answer' || !answer.held)
      reached(answer.kind === 'answer' && (outcome.kind !== 'unknown' || answer.status >= 400))
    return outcome
  }
  const reader = (get: Http, usual: ReadOptions) => ({
    read(path: string, query: Query = {}, options: ReadOptions = usual): Promise<Outcome> {
      const url = new URL(`${rest}/${path}`)
      for (const [name, value] of Object.entries(query))
        if (value !== undefined && value !== '') url.searchParams.set(name, String(value))
      const send = (token: string) => get({ method: 'GET', url: url.href, headers: bearer(token) })
      return outcomeFor('read', () => scheduler.read(options, () => tokens.authorized(send)))
    },
  })
  const ifMatchHeader = createOptionalHeader()
  return {
    /** Reads a path, by default with priority `background`. The CRM may confirm the cached answer (decisions/pull). */
    ...reader(answers ? createConditionalGet(http, answers) : http, { priority: 'background' }),
    /** Reads without the cache and without a queue, for read-backs and before a PUT (RULES OC3, MG3). */
    fresh: reader(http, { priority: 'send' }),
    /** Number of calls that the CRM has accepted. If it grows while one read fails, the CRM itself works (RULES PL8). */
    accepted: () => accepted,
    /** @param lease the call only begins while this lease allows it */
    async write({ method, path, body, idempotencyKey, ifMatch }: WriteCall, lease?: Lease): Promise<Outcome> {
      const hasTag = ifMatch !== undefined && ifMatchHeader.isAllowed()
      const own = {
        ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
        ...(hasTag && { 'If-Match': ifMatch }),
      }
      const call = { method, url: `${rest}/${path}`, body: JSON.stringify(body), lease }
      const send = (token: string) => http({ ...call, headers: { ...bearer(token), ...own } })
      const outcome = await outcomeFor('write', () => tokens.authorized(send))
      // A PUT that never left the device proves nothing about the header.
      if (ifMatch === undefined || outcome.kind === 'unreachable') return outcome
      ifMatchHeader.ended(hasTag, outcome.kind !== 'unknown' || outcome.status > 0)
      const isStale = hasTag && outcome.kind === 'unknown' && outcome.status === PRECONDITION_FAILED
      return isStale ? { kind: 'stale', status: PRECONDITION_FAILED } : outcome
    },
  }
}

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
function createConditionalGet(http: Http, cache: AnswerCache): Http {
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

/** Caches an answer, or removes the cached answer if the new one has no ETag or the resource no longer exists. */
function cacheAnswer(cache: AnswerCache, url: string, answer: Answer): Answer {
  if (answer.kind !== 'answer') return answer
  const { status, text, etag, total } = answer
  if (status === 200 && text !== undefined && isTag(etag)) cache.put(url, { etag, text, total })
  else if (status === 200 || status === 404) cache.remove(url)
  return answer
}

const opaque = (tag: string) => tag.replace(/^W\//, '')
