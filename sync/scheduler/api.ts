/**
 * The CRM's REST calls as one user. Nothing is retried here; the gates and circuits decide when the next call
 * may begin (RULES OC10).
 */
import { outcomeOf, type Answer, type Outcome } from '#sync/transport/outcome.ts'
import { createReadQueue, type ReadOptions } from '#sync/scheduler/read-queue.ts'
import { createConditionalGet } from '#sync/transport/conditional-get.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { bearer, type Http } from '#sync/transport/http.ts'
import { createIfMatch } from '#sync/transport/if-match.ts'
import type { AnswerCache } from '#sync/transport/http-cache.ts'
import type { SessionTokens } from '#sync/transport/session-tokens.ts'

export type Query = Record<string, string | number | undefined>

/** A POST or PUT. */
export interface WriteCall {
  method: 'POST' | 'PUT'
  /** Under `{rest}`, e.g. `quickReport/`. */
  path: string
  body: object
  /** Sent as Idempotency-Key with a creating call. */
  idempotencyKey?: string
  /** ETag of the record state that it was made for (RULES MG4); sent as If-Match if allowed. */
  ifMatch?: string
}

export interface Reader {
  read(path: string, query?: Query): Promise<Outcome>
}

/** Its own reads are conditional: they ask whether the cached answer is still valid (decisions/pull). */
export interface Api extends Reader {
  /**
   * Reads a path.
   * @param way priority and abort signal; `background` by default
   */
  read(path: string, query?: Query, way?: ReadOptions): Promise<Outcome>
  /**
   * Reads without the cache, for read-backs and before a PUT (RULES OC3, MG3). They do not queue behind
   * pulls.
   */
  fresh: Reader
  /**
   * Sends a write.
   * @param hold the call only begins while this lease allows it
   */
  write(call: WriteCall, hold?: Lease): Promise<Outcome>
}

export interface PullApi extends Api {
  /**
   * Number of calls that the CRM has accepted: shows whether it answers others while one fails (RULES PL8).
   */
  accepted(): number
}

interface Parts {
  http: Http
  tokens: SessionTokens
  rest: string
  now: () => number
  /** The user's HTTP cache; without it reads are unconditional. */
  answers?: AnswerCache | undefined
  /**
   * Called when a call begins; returns a function that takes whether the CRM was reached, for the connection
   * badge.
   */
  begin: () => (reached: boolean) => void
}

/** Creates the calls of one user. */
export function createApi({ http, tokens, rest, now, answers, begin }: Parts): PullApi {
  let accepted = 0
  async function ended(call: 'read' | 'write', sent: () => Promise<Answer>): Promise<Outcome> {
    const reached = begin()
    const answer = await sent()
    const outcome = outcomeOf(answer, call, now())
    if (outcome.kind === 'accepted') accepted += 1
    // A 5xx is the CRM's own answer. A page with 4xx comes from a server in front of it, and a 200 that is
    // not JSON from a captive portal.
    const saysNothing = answer.kind === 'no-answer' && (answer.late || answer.held)
    if (!saysNothing)
      reached(answer.kind === 'answer' && (outcome.kind !== 'unknown' || answer.status >= 400))
    return outcome
  }
  /** One queue for all pulls of this device (RULES PL5, PL9). */
  const inTurn = createReadQueue()
  const reader = (get: Http, usual: ReadOptions) => ({
    async read(path: string, query: Query = {}, way: ReadOptions = usual) {
      const url = `${rest}/${path}${queryText(query)}`
      return ended('read', () =>
        inTurn(way, () => tokens.authorized((token) => get({ method: 'GET', url, headers: bearer(token) }))),
      )
    },
  })
  const conditions = createIfMatch()
  return {
    ...reader(answers ? createConditionalGet(http, answers) : http, { priority: 'background' }),
    fresh: reader(http, { priority: 'send' }),
    accepted: () => accepted,
    async write({ method, path, body, idempotencyKey, ifMatch }, hold) {
      const tag = conditions.headerFor(ifMatch)
      const key = { ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }), ...tag }
      const text = JSON.stringify(body)
      const send = (token: string) =>
        http({ method, url: `${rest}/${path}`, body: text, headers: { ...bearer(token), ...key }, hold })
      const outcome = await ended('write', () => tokens.authorized(send))
      return ifMatch === undefined ? outcome : conditions.ended('If-Match' in tag, outcome)
    },
  }
}

function queryText(query: Query): string {
  const params = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(params.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
