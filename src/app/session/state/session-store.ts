/**
 * The session on this device. IndexedDB stores it, because a single-use refresh token must survive a killed browser,
 * which may lose writes to localStorage (`strict-store.ts`). Each change is announced to all tabs.
 *
 *     renewed, or ended ─→ new session in localStorage, at once ─→ in IndexedDB, one transaction ─→ out of localStorage
 *
 * A page that enters the back/forward cache between these steps loses its transaction (`bfcache-guard.ts`), and the
 * tokens in IndexedDB are already used. The next reader, in any tab, then takes the new session from localStorage. If
 * the disk is full, the new session stays in localStorage only.
 */
import { del, get, set, update, type UseStore } from 'idb-keyval'
import type { Session } from '#schemas/device/session.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { hasShapeOf, readStoredJson } from '#lib/browser/stored-json.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { deviceStore } from '#app/config/device-values.ts'
import { createValueStore } from '#lib/value-store.ts'

export const KEY = 'session'
const CHANNEL = 'genba-session'
const NOTE = 'genba:session-renewed'

export type DeviceSessions = Awaited<ReturnType<typeof openSessions>>

interface Renewal {
  /** The session before the renewal. If another session is stored meanwhile, the renewal is discarded. */
  known: Session
  next: Session
}

/** Opens the session store and reads the session. @param scope identifies the CRM (`crm-scope.ts`) */
export async function openSessions(scope: string, database = deviceStore()) {
  const stored = openStored(scoped(KEY, scope), openNotes(scoped(NOTE, scope)), database)
  const channel = new BroadcastChannel(scoped(CHANNEL, scope))
  const value = createValueStore(await stored.read())
  let invalidToken: string | undefined
  const follow = async () => value.set(await stored.read())
  channel.addEventListener('message', () => void follow())
  const announce = (session: Session | null) => {
    value.set(session)
    channel.postMessage('changed')
  }
  return {
    get: value.get,
    subscribe: value.subscribe,
    read: stored.read,
    async write(session: Session): Promise<void> {
      await stored.write(session)
      announce(session)
    },
    /** Replaces `known` in one transaction. @returns false if another session was stored, which then stays */
    async replace(known: Session, session: Session): Promise<boolean> {
      const isInvalid = session.expired && session.accessToken === invalidToken
      const next = isInvalid ? { ...session, tokenInvalid: true } : session
      const isDone = await stored.replace({ known, next })
      if (isDone) announce(next)
      return isDone
    },
    async clear(): Promise<void> {
      await stored.clear()
      announce(null)
    },
    /** Called when the CRM answers INVALID_TOKEN. The session expires with this reason. */
    tokenIsInvalid(): void {
      invalidToken = value.get()?.accessToken
    },
  }
}

/** Reads and writes the session on disk. A renewed session that is only in localStorage (`notes`) counts as stored. */
function openStored(key: string, notes: Notes, database: UseStore) {
  const swap = async ({ known, next }: Renewal) => {
    let isDone = false
    await update<unknown>(
      key,
      (stored) => {
        isDone = isSame(parseSession(stored), known)
        return isDone ? next : stored
      },
      database,
    )
    return isDone
  }
  const read = async () => {
    const noted = notes.read()
    if (noted) await swap(noted.renewal).then(noted.remove, () => undefined)
    const stored = parseSession(await get(key, database))
    return noted && isSame(stored, noted.renewal.known) ? noted.renewal.next : stored
  }
  return {
    read,
    write(session: Session): Promise<void> {
      notes.clear()
      return set(key, session, database)
    },
    async replace(next: Renewal): Promise<boolean> {
      // This write comes before the first `await`, because the browser may freeze the page at any `await`.
      const renewal = notes.write(next)
      try {
        const isDone = await swap(renewal)
        notes.read()?.remove()
        return isDone
      } catch (error) {
        if (!(await isStorageFull(error, undefined))) throw error
        return isSame(await read(), renewal.next)
      }
    },
    clear(): Promise<void> {
      notes.clear()
      return del(key, database)
    },
  }
}

type Notes = ReturnType<typeof openNotes>

/** Stores a renewed session in localStorage until IndexedDB has it; in this page's memory if localStorage is full. */
function openNotes(name: string) {
  let inMemory: string | null = null
  const text = () => inMemory ?? localStorage.getItem(name)
  const clear = () => {
    inMemory = null
    localStorage.removeItem(name)
  }
  const read = () => {
    const noted = text()
    if (noted === null) return null
    const remove = () => {
      if (text() === noted) clear()
    }
    return { renewal: readStoredJson<Renewal>(noted, { known: SHAPE, next: SHAPE }), remove }
  }
  return {
    clear,
    /** Returns the renewal in localStorage. `remove` does nothing if another renewal was written there meanwhile. */
    read,
    /** Writes a renewal to localStorage, joined with an earlier one that is still there. @returns what was written */
    write({ known, next }: Renewal): Renewal {
      const before = read()?.renewal
      const renewal = { known: before && isSame(before.next, known) ? before.known : known, next }
      clear()
      try {
        localStorage.setItem(name, JSON.stringify(renewal))
      } catch {
        inMemory = JSON.stringify(renewal)
      }
      return renewal
    },
  }
}

const isSame = (stored: Session | null, known: Session) =>
  stored?.userInfo.id === known.userInfo.id &&
  stored.accessToken === known.accessToken &&
  stored.refreshToken === known.refreshToken

/** Returns null if the stored session has another shape. */
export const parseSession = (stored: unknown): Session | null => (hasShapeOf(stored, SHAPE) ? stored : null)

const SHAPE: Session = {
  userName: '',
  expired: false,
  accessToken: '',
  refreshToken: '',
  userInfo: { id: '', userFlag: 0, loginUserName: '' },
}
