/**
 * The file store's token (crm-contract 5). One fetch serves all waiting calls. The token is only used while the user of
 * this database is signed in (RULES SV4).
 */
import { type } from 'arktype'
import { fileTokenWire } from '#schemas/resources/photo.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import { UNAUTHORIZED, type Answer } from '../transport/outcome.ts'
import { bearer, type Http } from '../transport/http.ts'
import type { SessionStore, SessionTokens } from '../transport/session-tokens.ts'

export interface FileTokenParts {
  http: Http
  /** Base URL of the file store, `{fs}`. */
  url: string
  user: UserInfo
  sessions: Pick<SessionStore, 'read'>
  /** The session of the CRM, for which the file store issues its token (crm-contract 5). */
  tokens: Pick<SessionTokens, 'authorizedForFiles'>
  now: () => number
}

/** Milliseconds in which a 401 renews no token, because the file store has also refused a renewed token. */
export const RENEWED_AGAIN_MS = 10 * 60_000

/** A token whose remaining life is shorter, in milliseconds, is renewed before a call. */
const MARGIN_MS = 5_000

/** If the fetch of a token is answered with one of these statuses, so is the call that needs the token (RULES OC2). */
const GENERAL_STATUSES: readonly number[] = [401, 429, 503]

type Token = { value: string; until: number }

export type FileToken = ReturnType<typeof createFileToken>

export function createFileToken({ http, url, user, sessions, tokens, now }: FileTokenParts) {
  let cached: Token | null = null
  let request: Promise<Token | Answer> | null = null
  /** Before this time (epoch ms) a 401 renews no token. */
  let refusedUntil = -Infinity

  async function fetchToken(): Promise<Token | Answer> {
    const call = { method: 'POST', url: `${url}/token`, body: JSON.stringify({ userInfo: user }) } as const
    const answer = await tokens.authorizedForFiles((token) => http({ ...call, headers: bearer(token) }))
    if (answer.kind === 'answer' && GENERAL_STATUSES.includes(answer.status)) return answer
    const parsed = answer.kind === 'answer' && answer.status === 200 && fileTokenWire(answer.body)
    // The token could not be fetched, so the call that needs the token was not sent.
    if (!parsed || parsed instanceof type.errors) return { kind: 'no-answer', sent: false }
    const until = parsed.expire * 1000 - MARGIN_MS
    // If a new token seems expired, the device's clock is wrong. It is then used until the file store answers 401.
    cached = { value: parsed.access_token, until: until > now() ? until : Infinity }
    return cached
  }

  async function current(stale?: Token): Promise<Token | Answer> {
    if (cached && cached !== stale && cached.until > now()) return cached
    request ??= fetchToken().finally(() => (request = null))
    return request
  }

  return {
    /** Sends a call with the token. After a 401 the call is sent once more with a new token. */
    async authorized(send: (token: string) => Promise<Answer>): Promise<Answer> {
      const session = await sessions.read()
      if (session?.userInfo.id !== user.id || session.expired) return UNAUTHORIZED
      const token = await current()
      if ('kind' in token) return token
      const answer = await send(token.value)
      if (!isUnauthorized(answer) || now() < refusedUntil) return answer
      const renewed = await current(token)
      if ('kind' in renewed) return renewed
      const again = await send(renewed.value)
      refusedUntil = isUnauthorized(again) ? now() + RENEWED_AGAIN_MS : -Infinity
      return again
    },
  }
}

const isUnauthorized = (answer: Answer) => answer.kind === 'answer' && answer.status === 401
