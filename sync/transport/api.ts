/** The CRM's REST calls as one user: reads may be retried once, writes never (crm-contract 3). */
import { READS_AT_ONCE } from '#schemas/limits.ts'
import { atMost } from '../at-most.ts'
import { outcomeOf, type Answer, type Outcome } from '../outcome.ts'
import type { Hold } from './hold.ts'
import type { Http } from './http.ts'
import type { SessionTokens } from './session-tokens.ts'

export type Query = Record<string, string | number | undefined>

export interface WriteCall {
  method: 'POST' | 'PUT'
  /** Under `{rest}`, e.g. `quickReport/`. */
  path: string
  body: object
  /** Sent as Idempotency-Key with a creating call. */
  idempotencyKey?: string
}

export interface Api {
  read(path: string, query?: Query): Promise<Outcome>
  /** @param hold the call leaves only while it allows */
  write(call: WriteCall, hold?: Hold): Promise<Outcome>
}

interface Parts {
  http: Http
  tokens: SessionTokens
  rest: string
  now: () => number
  /** A call begins; told whether the CRM was reached: the connection badge goes by it. */
  begin: () => (reached: boolean) => void
}

export function createApi({ http, tokens, rest, now, begin }: Parts): Api {
  async function ended(call: 'read' | 'write', sent: () => Promise<Answer>): Promise<Outcome> {
    const reached = begin()
    const answer = await sent()
    const outcome = outcomeOf(answer, call, now())
    // a 5xx is the CRM's own; a 200 that is not JSON is somebody else's page
    const isLate = answer.kind === 'no-answer' && answer.late
    if (!isLate) reached(answer.kind === 'answer' && (outcome.kind !== 'unknown' || answer.status >= 500))
    return outcome
  }
  /** Over all pulls of this device (RULES PL5). */
  const inTurn = atMost(READS_AT_ONCE)
  return {
    async read(path, query = {}) {
      const url = `${rest}/${path}${queryText(query)}`
      const get = () =>
        inTurn(() => tokens.authorized((token) => http({ method: 'GET', url, headers: bearer(token) })))
      return ended('read', async () => {
        const first = await get()
        return first.kind === 'no-answer' && first.sent ? get() : first
      })
    },
    async write({ method, path, body, idempotencyKey }, hold) {
      const key = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}
      const text = JSON.stringify(body)
      const send = (token: string) =>
        http({ method, url: `${rest}/${path}`, body: text, headers: { ...bearer(token), ...key }, hold })
      return ended('write', () => tokens.authorized(send))
    },
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
