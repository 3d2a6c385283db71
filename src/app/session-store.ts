/**
 * The session on this device: in IndexedDB, because a single-use refresh token must survive a killed browser (a
 * localStorage write may not), read once before the first paint, and told to all tabs by a BroadcastChannel.
 *
 *     renewed ─→ noted in localStorage, at once ─→ compared and set in one transaction ─→ the note goes
 *
 * The note is for a page that is put aside in between: its transaction is aborted (`put-aside.ts`), and the pair that is on
 * disk is worth nothing any more. Whoever reads next, in any tab, carries out what was noted.
 */
import { createStore, del, get, set, update } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import type { ValueStore } from '#data/app-context.tsx'
import { hasShapeOf, keptJson } from '#lib/kept-json.ts'
import { createValueStore } from './value-store.ts'

const KEY = 'session'
const CHANNEL = 'genba-session'
const NOTE = 'genba:session-renewed'

export interface DeviceSessions extends ValueStore<Session | null> {
  /** What is on disk now; another tab may have renewed it. */
  read(): Promise<Session | null>
  /** A login: whatever is there. */
  write(session: Session): Promise<void>
  /** Compare and set in one transaction. @returns whether `known` was there, and is `next` now */
  replace(known: Session, next: Session): Promise<boolean>
  clear(): Promise<void>
  /** The CRM has called the token invalid: a session that expires with it says so. */
  tokenIsInvalid(): void
}

interface Renewal {
  known: Session
  next: Session
}

/** @returns once the stored session was read */
export async function openSessions(): Promise<DeviceSessions> {
  const database = createStore('genba-device', 'values')
  const channel = new BroadcastChannel(CHANNEL)
  const swap = async ({ known, next }: Renewal) => {
    let isDone = false
    await update<unknown>(
      KEY,
      (stored) => {
        isDone = isSame(parseSession(stored), known)
        return isDone ? next : stored
      },
      database,
    )
    return isDone
  }
  const read = async () => {
    const noted = readNote()
    // on a full disk the note goes on saying it
    if (noted) await swap(noted.renewal).then(noted.remove, () => undefined)
    const held = parseSession(await get(KEY, database))
    return noted && isSame(held, noted.renewal.known) ? noted.renewal.next : held
  }
  const value = createValueStore(await read())
  let invalidToken: string | undefined
  const follow = async () => value.set(await read())
  channel.addEventListener('message', () => void follow())
  const tell = (session: Session | null) => {
    value.set(session)
    channel.postMessage('changed')
  }
  return {
    get: value.get,
    subscribe: value.subscribe,
    read,
    async write(session) {
      localStorage.removeItem(NOTE)
      await set(KEY, session, database)
      tell(session)
    },
    async replace(known, session) {
      const isInvalid = session.expired && session.accessToken === invalidToken
      const next = isInvalid ? { ...session, tokenInvalid: true } : session
      const isRenewed = next.refreshToken !== known.refreshToken
      // nothing is awaited before it stands
      if (isRenewed) note({ known, next })
      const isDone = await swap({ known, next })
      if (isRenewed) readNote()?.remove()
      if (isDone) tell(next)
      return isDone
    },
    async clear() {
      localStorage.removeItem(NOTE)
      await del(KEY, database)
      tell(null)
    },
    tokenIsInvalid() {
      invalidToken = value.get()?.accessToken
    },
  }
}

/** Where there is no room, the transaction alone must do: it is the one that counts. */
function note(renewal: Renewal): void {
  try {
    localStorage.setItem(NOTE, JSON.stringify(renewal))
  } catch {
    localStorage.removeItem(NOTE)
  }
}

/** A renewal that may not have been written; removed unless another one was noted meanwhile. */
function readNote(): { renewal: Renewal; remove(): void } | null {
  const text = localStorage.getItem(NOTE)
  if (text === null) return null
  const remove = () => {
    if (localStorage.getItem(NOTE) === text) localStorage.removeItem(NOTE)
  }
  return { renewal: keptJson<Renewal>(text, { known: EXAMPLE, next: EXAMPLE }), remove }
}

const isSame = (held: Session | null, known: Session) =>
  held?.userInfo.id === known.userInfo.id &&
  held.accessToken === known.accessToken &&
  held.refreshToken === known.refreshToken

/** What another version may have left is no session. */
const parseSession = (stored: unknown): Session | null => (hasShapeOf(stored, EXAMPLE) ? stored : null)

const EXAMPLE: Session = {
  userName: '',
  expired: false,
  accessToken: '',
  refreshToken: '',
  userInfo: { id: '', userFlag: 0, loginUserName: '' },
}
