/**
 * The bearer token of a call, and its renewal. Refresh tokens are single-use (crm-contract 2), so one refresh happens at
 * a time over all tabs: who waited for the lock finds the new pair in the store (RULES OC5). A refused refresh marks the
 * session expired; nothing else is touched, and the same user's next login goes on.
 */
import { type } from 'arktype'
import { tokenPair, type Session } from '#schemas/session.ts'
import type { Answer } from '../outcome.ts'
import type { Http } from './http.ts'
import type { Locks } from './locks.ts'

/** Where the session is kept: shared by all tabs, read anew each time. */
export interface SessionStore {
  read(): Promise<Session | null>
  write(session: Session): Promise<void>
}

export interface SessionTokens {
  /** Sends with the token; on 401 refreshes once and sends again. */
  authorized(send: (accessToken: string) => Promise<Answer>): Promise<Answer>
}

interface Parts {
  store: SessionStore
  http: Http
  locks: Locks
  refreshUrl: string
  /** Only this user's token is ever used (RULES SV4). */
  userId: string
}

const UNAUTHORIZED: Answer = {
  kind: 'answer',
  status: 401,
  body: null,
  isJson: true,
  total: null,
  retryAfter: null,
}

export function createSessionTokens({ store, http, locks, refreshUrl, userId }: Parts): SessionTokens {
  const current = async () => {
    const session = await store.read()
    return session && session.userInfo.id === userId && !session.expired ? session : null
  }

  /** @returns the new session, or the answer that stands in its way */
  async function refresh(stale: Session): Promise<Session | Answer> {
    const session = await current()
    if (!session) return UNAUTHORIZED
    if (session.accessToken !== stale.accessToken) return session
    const body = JSON.stringify({ refreshToken: session.refreshToken })
    const answer = await http({ method: 'POST', url: refreshUrl, body })
    if (answer.kind === 'no-answer') return { kind: 'no-answer', sent: false }
    if (answer.status === 200) {
      const pair = tokenPair(answer.body)
      if (pair instanceof type.errors) return { kind: 'no-answer', sent: false }
      const renewed = { ...session, ...pair }
      await store.write(renewed)
      return renewed
    }
    if (answer.status >= 500 || answer.status === 429) return { kind: 'no-answer', sent: false }
    await store.write({ ...session, expired: true })
    return UNAUTHORIZED
  }

  return {
    async authorized(send) {
      const session = await current()
      if (!session) return UNAUTHORIZED
      const answer = await send(session.accessToken)
      if (answer.kind !== 'answer' || answer.status !== 401) return answer
      const renewed = await locks.request('genba-refresh', () => refresh(session))
      if ('kind' in renewed) return renewed
      const second = await send(renewed.accessToken)
      if (second.kind === 'answer' && second.status === 401) await store.write({ ...renewed, expired: true })
      return second
    },
  }
}
