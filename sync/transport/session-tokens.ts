/**
 * Sends calls with the session's bearer token, and renews the token. A refresh token can be used once (crm-contract 2),
 * so one tab at a time renews, and tabs that waited use its result (OC5). A refused renewal only marks the session as
 * expired, so that sending continues after the same user's next login.
 */
import { type } from 'arktype'
import { INVALID_TOKEN } from '#schemas/api-error.ts'
import { tokenPair, type Session } from '#schemas/device/session.ts'
import { NOT_SENT, UNAUTHORIZED, type Answer, type Answered } from './outcome.ts'
import type { Lease, Locks } from '#sync/leadership/lease.ts'
import type { Http } from './http.ts'

/** The stored session, which all tabs share. */
export interface SessionStore {
  read(): Promise<Session | null>
  /** Replaces `known` in one transaction. @returns true if `known` was still stored, so that `next` is stored now */
  replace(known: Session, next: Session): Promise<boolean>
}

type Send = (accessToken: string) => Promise<Answer>

interface Parts {
  store: SessionStore
  http: Http
  locks: Locks
  refreshUrl: string
  /** Only the token of this user is used (RULES SV4). */
  userId: string
  elapsed?: () => number
}

/** Milliseconds after which HTML pages with status 401 in answer to renewals count as a refusal. */
export const PAGE_MS = 10 * 60_000

function createRenewal({ store, http, locks, refreshUrl, userId, elapsed }: Parts) {
  const isRefused = createRefusalCheck(elapsed)
  /** The refresh token that this tab received last; '' if there is none. */
  let refreshed = ''

  const current = async () => {
    const session = await store.read()
    return session && session.userInfo.id === userId && !session.expired ? session : null
  }
  const expire = (known: Session) => store.replace(known, { ...known, expired: true })

  /** @returns the new session, or the answer that prevented the renewal */
  async function refresh(stale: Session, lease: Lease): Promise<Session | Answer> {
    const session = await current()
    if (!session) return UNAUTHORIZED
    if (session.accessToken !== stale.accessToken) return session
    const body = JSON.stringify({ refreshToken: session.refreshToken })
    const answer = await http({ method: 'POST', url: refreshUrl, body, lease })
    if (answer.kind === 'no-answer') return { ...answer, sent: false }
    const isRefusedNow = isRefused(answer)
    if (answer.status === 429 || answer.status === 503) return answer
    const pair = answer.status === 200 ? tokenPair(answer.body) : null
    if (pair instanceof type.errors || (!pair && !isRefusedNow)) return NOT_SENT
    const next = pair ? { ...session, ...pair } : { ...session, expired: true }
    if (pair) refreshed = pair.refreshToken
    const isStored = await store.replace(session, next)
    if (!pair) return UNAUTHORIZED
    // If another tab has logged in or out meanwhile, the session that it stored is used.
    return isStored ? next : ((await current()) ?? UNAUTHORIZED)
  }
  /** Renews the token, if need be twice, and sends again. @param refused called if the renewed token is refused too */
  async function retried(
    send: Send,
    stale: Session,
    refused: (renewed: Session) => unknown,
    tries = 2,
  ): Promise<Answer> {
    const renewed = await locks.request('genba-refresh', (lease) => refresh(stale, lease))
    if ('kind' in renewed) return renewed
    const answer = await send(renewed.accessToken)
    const isOwn = renewed.refreshToken === refreshed
    if (isStatus(answer, 401) && !isOwn && tries > 1) return retried(send, renewed, refused, tries - 1)
    if (isStatus(answer, 401) || isStatus(answer, INVALID_TOKEN)) await refused(renewed)
    return answer
  }
  return { current, expire, retried }
}

export type SessionTokens = ReturnType<typeof createSessionTokens>

export function createSessionTokens(parts: Parts) {
  const { current, expire, retried } = createRenewal(parts)
  /** The renewed access token that the file store has refused; '' if there is none. */
  let refusedByFiles = ''
  return {
    /** Sends with the token. After a 401 it is renewed once and the call sent again. After a 498 the session expires. */
    async authorized(send: Send): Promise<Answer> {
      const session = await current()
      if (!session) return UNAUTHORIZED
      const answer = await send(session.accessToken)
      if (isStatus(answer, INVALID_TOKEN)) await expire(session)
      return isStatus(answer, 401) ? retried(send, session, expire) : answer
    },
    /** Sends a call to the file store, whose 401 never ends the session, and renews no token that it refused before. */
    async authorizedForFiles(send: Send): Promise<Answer> {
      const session = await current()
      if (!session) return UNAUTHORIZED
      const answer = await send(session.accessToken)
      if (!isStatus(answer, 401) || session.accessToken === refusedByFiles) return answer
      return retried(send, session, (renewed) => (refusedByFiles = renewed.accessToken))
    },
  }
}

/**
 * Decides whether the CRM itself has refused a renewal: a gateway's answer must not end the session. A 401 page may come
 * from either, and counts once such pages have come for `PAGE_MS`.
 */
function createRefusalCheck(elapsed = () => performance.now()) {
  /** Time of the first 401 page in a row; null if the last answer was no such page. */
  let pageSince: number | null = null
  return ({ status, isJson, body }: Answered): boolean => {
    const isPage = !isJson && typeof body === 'string' && /^\s*</.test(body)
    pageSince = status === 401 && isPage ? (pageSince ?? elapsed()) : null
    if (pageSince !== null) return elapsed() - pageSince >= PAGE_MS
    const isRefusal = isJson && status >= 400 && status < 500 && status !== 408
    return status === 401 || status === INVALID_TOKEN || isRefusal
  }
}

const isStatus = (answer: Answer, status: number) => answer.kind === 'answer' && answer.status === status
