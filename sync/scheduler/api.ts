/** The CRM's REST calls as one user. None is tried again here: when the next one may go is decided elsewhere (RULES OC10). */
import { outcomeOf, type Answer, type Outcome } from '#sync/transport/outcome.ts'
import { createReadQueue, type ReadOptions } from '#sync/scheduler/read-queue.ts'
import { createConditionalGet } from '#sync/transport/conditional-get.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { bearer, type Http } from '#sync/transport/http.ts'
import { createIfMatch } from '#sync/transport/if-match.ts'
import type { AnswerCache } from '#sync/transport/http-cache.ts'
import type { SessionTokens } from '#sync/transport/session-tokens.ts'

export type Query = Record<string, string | number | undefined>

export interface WriteCall {
  method: 'POST' | 'PUT'
  /** Under `{rest}`, e.g. `quickReport/`. */
  path: string
  body: object
  /** Sent as Idempotency-Key with a creating call. */
  idempotencyKey?: string
  /** The state of the record that it was made for (RULES MG4); sent as If-Match where that may be. */
  ifMatch?: string
}

export interface Reader {
  read(path: string, query?: Query): Promise<Outcome>
}

/** Its own reads are conditional: they ask whether what is kept of the last answer still holds (decisions/pull). */
export interface Api extends Reader {
  /** @param way what waits for it; nothing does where that is not said */
  read(path: string, query?: Query, way?: ReadOptions): Promise<Outcome>
  /** For reading back and before a PUT (RULES OC3, MG3): the CRM's whole answer, whatever is kept; never behind a pull. */
  fresh: Reader
  /** @param hold the call leaves only while it allows */
  write(call: WriteCall, hold?: Lease): Promise<Outcome>
}

export interface PullApi extends Api {
  /** How many calls the CRM has accepted: whether it answers others while one fails (RULES PL8). */
  accepted(): number
}

interface Parts {
  http: Http
  tokens: SessionTokens
  rest: string
  now: () => number
  /** Of this user, for conditional reads; without it every answer comes whole. */
  answers?: AnswerCache | undefined
  /** A call begins; told whether the CRM was reached: the connection badge goes by it. */
  begin: () => (reached: boolean) => void
}

export function createApi({ http, tokens, rest, now, answers, begin }: Parts): PullApi {
  let accepted = 0
  async function ended(call: 'read' | 'write', sent: () => Promise<Answer>): Promise<Outcome> {
    const reached = begin()
    const answer = await sent()
    const outcome = outcomeOf(answer, call, now())
    if (outcome.kind === 'accepted') accepted += 1
    // a 5xx is the CRM's own, a page with 4xx comes from what stands in front of it; a 200 that is not JSON is a portal's
    const isUntold = answer.kind === 'no-answer' && (answer.late || answer.held)
    if (!isUntold) reached(answer.kind === 'answer' && (outcome.kind !== 'unknown' || answer.status >= 400))
    return outcome
  }
  /** Over all pulls of this device (RULES PL5, PL9). */
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
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
