/**
 * The session on this device. It is in IndexedDB, because a single-use refresh token must survive a killed browser (a
 * localStorage write may not; `strict-store.ts`). It is read once before the first paint, and posted to all tabs.
 *
 *     renewed, or ended ─→ noted in localStorage, at once ─→ compared and set in one transaction ─→ note removed
 *
 * The note is for a page that enters the back/forward cache between the steps: its transaction is aborted
 * (`bfcache-guard.ts`), and the token pair on disk is already used. The next reader, in any tab, applies the note. On a
 * full disk the note replaces the write, at least in the page that wrote it. Without it, a used token would be sent again,
 * and an ended session would be renewed for ever.
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
  /** The session before the renewal. The renewal applies only while this session is the stored one. */
  known: Session
  next: Session
}

/** Resolves once the stored session is read. @param scope identifies the CRM (`crm-scope.ts`) */
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
    /** Reads the session from disk, because another tab may have renewed it. */
    read: stored.read,
    /** Writes the session of a login, whatever is stored. */
    async write(session: Session): Promise<void> {
      await stored.write(session)
      announce(session)
    },
    /** Compares and sets in one transaction. @returns true if `known` was stored and is now replaced */
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
    /** Called on INVALID_TOKEN: the session expires with that reason. */
    tokenIsInvalid(): void {
      invalidToken = value.get()?.accessToken
    },
  }
}

/** The session on disk, and the note of a renewal that may not be written yet. */
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
    // If the write fails on a full disk, the note stays.
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
      // The note is written before the first await, because the page may be frozen at any await.
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

interface Notes {
  /**
   * Writes a note. If an earlier renewal that may not be on disk yet ends with the session at which this one begins, the two
   * become one.
   * @returns the noted renewal
   */
  write(renewal: Renewal): Renewal
  /** Returns the note; its `remove` does nothing if another note was written meanwhile. */
  read(): { renewal: Renewal; remove(): void } | null
  clear(): void
}

/** Stores the note in localStorage for all tabs; if localStorage is full, in this page's memory. */
function openNotes(name: string): Notes {
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
    read,
    write({ known, next }) {
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

/** The stored session; null if it does not have this version's shape. */
export const parseSession = (stored: unknown): Session | null => (hasShapeOf(stored, SHAPE) ? stored : null)

const SHAPE: Session = {
  userName: '',
  expired: false,
  accessToken: '',
  refreshToken: '',
  userInfo: { id: '', userFlag: 0, loginUserName: '' },
}
