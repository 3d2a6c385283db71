/** Makes the CRM's REST calls as one user. The scheduler decides when a call may begin; no call is retried here. */
import { outcomeOf, type Answer, type Outcome, PRECONDITION_FAILED } from '#sync/transport/outcome.ts'
import type { ReadOptions, Scheduler } from './scheduler.ts'
import {
  createConditionalGet,
  createOptionalHeader,
  type AnswerCache,
} from '#sync/transport/conditional-get.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import { bearer, type Http } from '#sync/transport/http.ts'
import type { SessionTokens } from '#sync/transport/session-tokens.ts'

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
