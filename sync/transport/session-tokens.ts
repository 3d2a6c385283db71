/**
 * Sends calls with the session's bearer token, and renews the token. A refresh token can be used once (crm-contract
 * 2), so one tab at a time renews, and tabs that waited use its result (OC5). A refused renewal only marks the
 * session as expired, so that sending continues after the same user's next login.
 */
import { type } from 'arktype'
import { INVALID_TOKEN } from '#schemas/http-status.ts'
import { tokenPair, type Session } from '#schemas/device/session.ts'
import { NOT_SENT, UNAUTHORIZED, type Answer } from './outcome.ts'
import type { Lease, Locks } from '#sync/leadership/lease.ts'
import type { Http } from './http.ts'

/** The stored session, which all tabs share. */
export interface SessionStore {
  read(): Promise<Session | null>
  /**
   * Replaces the session in one transaction, so that no tab can log in or out in between.
   * @param known the session that `next` was derived from
   * @returns true if `known` was still stored, so that `next` is stored now
   */
  replace(known: Session, next: Session): Promise<boolean>
}

type Send = (accessToken: string) => Promise<Answer>
/** Called if the renewed token is refused too. */
type OnRefused = (renewed: Session) => Promise<unknown>

export interface SessionTokens {
  /**
   * Sends with the token. After a 401 the token is renewed once and the call sent again. After a 498 the session
   * expires.
   */
  authorized(send: Send): Promise<Answer>
  /**
   * Sends a call to the file store. A 401 of the file store never ends the session, because it can have other causes.
   * A renewed token that the file store has refused is not renewed once more.
   */
  authorizedForFiles(send: Send): Promise<Answer>
}

interface Parts {
  store: SessionStore
  http: Http
  locks: Locks
  refreshUrl: string
  /** Only the token of this user is used (RULES SV4). */
  userId: string
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
}

/** Milliseconds after which HTML pages with status 401 in answer to renewals count as a refusal. */
export const PAGE_MS = 10 * 60_000

export function createSessionTokens(parts: Parts): SessionTokens {
  const { store, http, locks, refreshUrl, userId, elapsed = () => performance.now() } = parts
  const isRefused = createRefusalCheck(elapsed)
  const current = async () => {
    const session = await store.read()
    return session && session.userInfo.id === userId && !session.expired ? session : null
  }

  /** The renewed access token that the file store has refused; '' if there is none. */
  let refusedByFiles = ''
  /** The refresh token that this tab received last; '' if there is none. */
  let refreshed = ''

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
    if (answer.status === 200) {
      const pair = tokenPair(answer.body)
      if (pair instanceof type.errors) return NOT_SENT
      const renewed = { ...session, ...pair }
      refreshed = renewed.refreshToken
      // If another tab has logged in or out meanwhile, the session that it stored is used.
      return (await store.replace(session, renewed)) ? renewed : ((await current()) ?? UNAUTHORIZED)
    }
    if (!isRefusedNow) return NOT_SENT
    await expire(session)
    return UNAUTHORIZED
  }

  const retried = createRetry({ locks, refresh, isOwn: (session) => session.refreshToken === refreshed })
  const withSession = async (run: (session: Session) => Promise<Answer>) => {
    const session = await current()
    return session ? run(session) : UNAUTHORIZED
  }
  return {
    authorized: (send) =>
      withSession(async (session) => {
        const answer = await send(session.accessToken)
        if (isStatus(answer, INVALID_TOKEN)) await expire(session)
        return isStatus(answer, 401) ? retried(send, session, expire) : answer
      }),
    authorizedForFiles: (send) =>
      withSession(async (session) => {
        const answer = await send(session.accessToken)
        if (!isStatus(answer, 401) || session.accessToken === refusedByFiles) return answer
        return retried(send, session, async (renewed) => (refusedByFiles = renewed.accessToken))
      }),
  }
}

interface RetryParts {
  locks: Locks
  refresh: (stale: Session, lease: Lease) => Promise<Session | Answer>
  /** True if this tab renewed the session itself, so that its token is new. */
  isOwn: (session: Session) => boolean
}

/**
 * Creates a function that renews the token and sends again. A token that another tab has renewed may already be
 * expired, and is then renewed once more.
 * @returns a function that calls `refused` if the renewed token is refused
 */
function createRetry({ locks, refresh, isOwn }: RetryParts) {
  return async function retried(send: Send, stale: Session, refused: OnRefused, tries = 2): Promise<Answer> {
    const renewed = await locks.request('genba-refresh', (lease) => refresh(stale, lease))
    if ('kind' in renewed) return renewed
    const answer = await send(renewed.accessToken)
    if (isStatus(answer, 401) && !isOwn(renewed) && tries > 1)
      return retried(send, renewed, refused, tries - 1)
    if (isStatus(answer, 401) || isStatus(answer, INVALID_TOKEN)) await refused(renewed)
    return answer
  }
}

type Answered = Extract<Answer, { kind: 'answer' }>

const isPage = ({ isJson, body }: Answered) => !isJson && typeof body === 'string' && /^\s*</.test(body)

/**
 * Returns a function that decides whether the CRM has refused a renewal. A 401 with an HTML page may come from a
 * gateway or from the CRM, because the contract does not define its body. It counts as a refusal once such answers
 * have come for `PAGE_MS`.
 */
function createRefusalCheck(elapsed: () => number) {
  /** Time of the first 401 page in a row; null if the last answer was no such page. */
  let pageSince: number | null = null
  return (answer: Answered): boolean => {
    pageSince = answer.status === 401 && isPage(answer) ? (pageSince ?? elapsed()) : null
    return pageSince === null ? isRefusal(answer) : elapsed() - pageSince >= PAGE_MS
  }
}

/** True if the CRM itself refuses. A gateway's answer must not end the session. */
const isRefusal = ({ status, isJson }: Answered) =>
  status === 401 || status === INVALID_TOKEN || (isJson && status >= 400 && status < 500 && status !== 408)

const isStatus = (answer: Answer, status: number) => answer.kind === 'answer' && answer.status === status
