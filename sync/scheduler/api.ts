/** Makes the CRM's REST calls as one user. The scheduler decides when a call may begin; no call is retried here. */
import { outcomeOf, type Answer, type Outcome, PRECONDITION_FAILED } from '#sync/transport/outcome.ts'
import type { ReadOptions, Scheduler } from './scheduler.ts'
import {
  conditionsAfter,
  createConditionalGet,
  NO_FAILURES,
  UNANSWERED_MAX,
  type AnswerCache,
} from '#sync/transport/conditional-get.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { bearer, type Http } from '#sync/transport/http.ts'
import type { SessionTokens } from '#sync/transport/session-tokens.ts'

export type Query = Record<string, string | number | undefined>

export interface WriteCall {
  method: 'POST' | 'PUT'
  /** For example `quickReport/`. */
  path: string
  body: object
  /** Sent as Idempotency-Key with a creating call. */
  idempotencyKey?: string
  /** ETag of the record state that the body was computed from (RULES MG4); sent as If-Match if allowed. */
  ifMatch?: string
}

export interface Reader {
  read(path: string, query?: Query): Promise<Outcome>
}

export interface Api extends Reader {
  /**
   * Reads a path. The read is conditional: it asks the CRM whether the cached answer is still valid (decisions/pull).
   * @param options by default with priority `background`
   */
  read(path: string, query?: Query, options?: ReadOptions): Promise<Outcome>
  /**
   * Reads without the cache, for read-backs and before a PUT (RULES OC3, MG3). These reads do not queue
   * behind pulls.
   */
  fresh: Reader
  /** @param lease the call only begins while this lease allows it */
  write(call: WriteCall, lease?: Lease): Promise<Outcome>
}

export type PullApi = ReturnType<typeof createApi>

interface Parts {
  http: Http
  scheduler: Pick<Scheduler, 'read'>
  tokens: SessionTokens
  rest: string
  now: () => number
  /** The user's HTTP cache; without it reads are unconditional. */
  answers?: AnswerCache | undefined
  /** Called when a call begins; returns a function to call at its end, with true if the CRM was reached. */
  begin: () => (reached: boolean) => void
}

export function createApi({ http, scheduler, tokens, rest, now, answers, begin }: Parts) {
  let accepted = 0
  async function outcomeFor(call: 'read' | 'write', sent: () => Promise<Answer>): Promise<Outcome> {
    const reached = begin()
    const answer = await sent()
    const outcome = outcomeOf(answer, call, now())
    if (outcome.kind === 'accepted') accepted += 1
    // A 5xx proves that the CRM was reached, and so does a 4xx page of a server in front of it. A 200 that is
    // not JSON comes from a captive portal and proves nothing.
    const isInconclusive = answer.kind === 'no-answer' && (answer.late || answer.held)
    if (!isInconclusive)
      reached(answer.kind === 'answer' && (outcome.kind !== 'unknown' || answer.status >= 400))
    return outcome
  }
  const reader = (get: Http, usual: ReadOptions) => ({
    async read(path: string, query: Query = {}, options: ReadOptions = usual) {
      const url = `${rest}/${path}${queryText(query)}`
      return outcomeFor('read', () =>
        scheduler.read(options, () =>
          tokens.authorized((token) => get({ method: 'GET', url, headers: bearer(token) })),
        ),
      )
    },
  })
  const ifMatchHeaders = createIfMatch()
  return {
    ...reader(answers ? createConditionalGet(http, answers) : http, { priority: 'background' }),
    fresh: reader(http, { priority: 'send' }),
    /** Number of calls that the CRM has accepted. If it grows while one read fails, the CRM itself works (RULES PL8). */
    accepted: () => accepted,
    async write({ method, path, body, idempotencyKey, ifMatch }: WriteCall, lease?: Lease): Promise<Outcome> {
      const tag = ifMatchHeaders.headerFor(ifMatch)
      const own = { ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }), ...tag }
      const call = { method, url: `${rest}/${path}`, body: JSON.stringify(body), lease }
      const send = (token: string) => http({ ...call, headers: { ...bearer(token), ...own } })
      const outcome = await outcomeFor('write', () => tokens.authorized(send))
      return ifMatch === undefined ? outcome : ifMatchHeaders.outcomeOfPut('If-Match' in tag, outcome)
    },
  }
}

function queryText(query: Query): string {
  const params = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(params.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}

/**
 * Decides whether a PUT carries `If-Match` (RULES MG4). Only a strong ETag identifies the state that a PUT was made for
 * (RFC 9110 13.1.1). As with conditional reads, the server may not allow the header (`conditional-get.ts`). So after
 * two PUTs in a row without an answer, one goes without the header, and after its answer the header is tried again.
 */
export function createIfMatch() {
  let conditions = NO_FAILURES
  return {
    /** Returns no header if the header may be the reason why the last PUTs got no answer. */
    headerFor: (tag: string | undefined): { 'If-Match'?: string } =>
      tag !== undefined && conditions.unansweredInARow < UNANSWERED_MAX ? { 'If-Match': tag } : {},

    /**
     * Called with the outcome of a PUT for which there was an ETag. Interprets a 412 as `stale`.
     * @param wasSent true if the PUT had the header
     */
    outcomeOfPut(wasSent: boolean, outcome: Outcome): Outcome {
      // A PUT that never left the device proves nothing.
      if (outcome.kind === 'unreachable') return outcome
      const isAnswered = outcome.kind !== 'unknown' || outcome.status > 0
      conditions = conditionsAfter(conditions, wasSent, isAnswered)
      const isStale = wasSent && outcome.kind === 'unknown' && outcome.status === PRECONDITION_FAILED
      return isStale ? { kind: 'stale', status: PRECONDITION_FAILED } : outcome
    },
  }
}
