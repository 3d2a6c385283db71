/**
 * The session on this device: in IndexedDB, because a single-use refresh token must survive a killed browser (a
 * localStorage write may not), read once before the first paint, and told to all tabs by a BroadcastChannel.
 */
import { createStore, del, get, set } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import type { ValueStore } from '#data/app-context.tsx'
import { hasShapeOf } from '#lib/kept-json.ts'
import { createValueStore } from './value-store.ts'

const KEY = 'session'
const CHANNEL = 'genba-session'

export interface DeviceSessions extends ValueStore<Session | null> {
  /** What is on disk now; another tab may have renewed it. */
  read(): Promise<Session | null>
  write(session: Session): Promise<void>
  clear(): Promise<void>
  /** The CRM has called the token invalid: a session that expires with it says so. */
  tokenIsInvalid(): void
}

/** @returns once the stored session was read */
export async function openSessions(): Promise<DeviceSessions> {
  const database = createStore('genba-device', 'values')
  const channel = new BroadcastChannel(CHANNEL)
  const read = async () => parseSession(await get(KEY, database))
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
      const isInvalid = session.expired && session.accessToken === invalidToken
      const next = isInvalid ? { ...session, tokenInvalid: true } : session
      await set(KEY, next, database)
      tell(next)
    },
    async clear() {
      await del(KEY, database)
      tell(null)
    },
    tokenIsInvalid() {
      invalidToken = value.get()?.accessToken
    },
  }
}

/** What another version may have left is no session. */
const parseSession = (stored: unknown): Session | null =>
  hasShapeOf(stored, EXAMPLE) ? (stored as unknown as Session) : null

const EXAMPLE = {
  userName: '',
  expired: false,
  accessToken: '',
  refreshToken: '',
  userInfo: { id: '', userFlag: 0, loginUserName: '' },
}
