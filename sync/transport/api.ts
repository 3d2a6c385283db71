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
  /** Told of every call whether the CRM was reached: the connection badge goes by it. */
  reached: (reached: boolean) => void
}

export function createApi({ http, tokens, rest, now, reached }: Parts): Api {
  const finish = (answer: Answer, call: 'read' | 'write'): Outcome => {
    const outcome = outcomeOf(answer, call, now())
    // a 5xx is the CRM's own; a 200 that is not JSON is somebody else's page
    reached(answer.kind === 'answer' && (outcome.kind !== 'unknown' || answer.status >= 500))
    return outcome
  }
  /** Over all pulls of this device (RULES PL5). */
  const inTurn = atMost(READS_AT_ONCE)
  return {
    async read(path, query = {}) {
      const url = `${rest}/${path}${queryText(query)}`
      const get = () =>
        inTurn(() => tokens.authorized((token) => http({ method: 'GET', url, headers: bearer(token) })))
      const first = await get()
      return finish(first.kind === 'no-answer' && first.sent ? await get() : first, 'read')
    },
    async write({ method, path, body, idempotencyKey }, hold) {
      const key = idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}
      const text = JSON.stringify(body)
      const send = (token: string) =>
        http({ method, url: `${rest}/${path}`, body: text, headers: { ...bearer(token), ...key }, hold })
      return finish(await tokens.authorized(send), 'write')
    },
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

function queryText(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text && `?${text}`
}
