/**
 * Sends calls with the session's bearer token, and renews the token. Refresh tokens are single-use (crm-contract 2), so
 * only one refresh runs at a time over all tabs. A tab that waited for the lock finds the new tokens in the store (OC5).
 * A refused refresh marks the session as expired and changes nothing else, so that sending continues after the
 * same user's next login.
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
   * Compares and sets in one transaction, so that no logout or login of any tab comes in between.
   * @param known the session that `next` was derived from
   * @returns true if `known` was still stored, and `next` is stored now
   */
  replace(known: Session, next: Session): Promise<boolean>
}

type Send = (accessToken: string) => Promise<Answer>
/** Called with the renewed session if its token is refused as well. */
type OnRefused = (renewed: Session) => Promise<unknown>

export interface SessionTokens {
  /** Sends with the token. On 401 it refreshes once and sends again; on 498 the session expires at once. */
  authorized(send: Send): Promise<Answer>
  /**
   * Sends a call to the file store with the token. A 401 of the file store can have other causes, so it never ends the
   * session, and a new token that the file store has refused is not renewed again.
   */
  authorizedForFiles(send: Send): Promise<Answer>
}

interface Parts {
  store: SessionStore
  http: Http
  locks: Locks
  refreshUrl: string
  /** Only this user's token is ever used (RULES SV4). */
  userId: string
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
}

/** A 401 page in answer to a refresh counts as a refusal only if refreshes have got such pages for this long. */
export const PAGE_MS = 10 * 60_000

/** Creates the token handling of one user. */
export function createSessionTokens(parts: Parts): SessionTokens {
  const { store, http, locks, refreshUrl, userId, elapsed = () => performance.now() } = parts
  const isRefused = createRefusalCheck(elapsed)
  const current = async () => {
    const session = await store.read()
    return session && session.userInfo.id === userId && !session.expired ? session : null
  }

  /** The new access token that the file store has refused; '' if it has refused no new token. */
  let refusedByFiles = ''
  /** The refresh token that this tab received last; '' if none. */
  let refreshed = ''

  const expire = (known: Session) => store.replace(known, { ...known, expired: true })

  /** Returns the new session, or the answer that prevents it. */
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
      // A logout or login meanwhile takes precedence.
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
  /** True if this tab's last refresh has returned this session's tokens. */
  isOwn: (session: Session) => boolean
}

/**
 * Creates a function that sends once more with a newer token. If another tab has renewed the token, the new token may
 * have expired as well; then the token is renewed again.
 * @returns a function that sends, and calls `refused` with the session if its token was refused again
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
 * Returns a function that decides whether an answer to a refresh is a refusal. The contract does not specify the body
 * of a 401, so a 401 page may be a refusal too: it counts as one after `PAGE_MS`.
 */
function createRefusalCheck(elapsed: () => number) {
  /** When the first of the current row of 401 pages came; null if the last answer was none. */
  let pageSince: number | null = null
  return (answer: Answered): boolean => {
    pageSince = answer.status === 401 && isPage(answer) ? (pageSince ?? elapsed()) : null
    return pageSince === null ? isRefusal(answer) : elapsed() - pageSince >= PAGE_MS
  }
}

/** True if the answer is a refusal by the CRM itself. A gateway's answer never ends the session. */
const isRefusal = ({ status, isJson }: Answered) =>
  status === 401 || status === INVALID_TOKEN || (isJson && status >= 400 && status < 500 && status !== 408)

const isStatus = (answer: Answer, status: number) => answer.kind === 'answer' && answer.status === status
