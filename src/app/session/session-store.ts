/**
 * The session on this device: in IndexedDB, because a single-use refresh token must survive a killed browser (a
 * localStorage write may not; `strict-store.ts`), read once before the first paint, and told to all tabs by a BroadcastChannel.
 *
 *     renewed, or ended ─→ noted in localStorage, at once ─→ compared and set in one transaction ─→ the note goes
 *
 * The note is for a page that is put aside in between: its transaction is aborted (`put-aside.ts`), and the pair that is on
 * disk is worth nothing any more. Whoever reads next, in any tab, carries out what was noted. On a full disk the note stands
 * for what could not be written, at least in the page that wrote it: a pair that nobody keeps would be asked for again with
 * a token that is used up, and a session that has ended would be tried for ever.
 */
import { del, get, set, update, type UseStore } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import type { ValueStore } from '#data/app-context.tsx'
import { scoped } from '#lib/browser/crm-scope.ts'
import { hasShapeOf, readStoredJson } from '#lib/browser/stored-json.ts'
import { isStorageFull } from '#lib/browser/storage-full.ts'
import { deviceStore } from '#app/config/device-values.ts'
import { createValueStore } from '#app/value-store.ts'

export const KEY = 'session'
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

/** @param scope of the CRM whose session it is @returns once the stored session was read */
export async function openSessions(scope: string, database = deviceStore()): Promise<DeviceSessions> {
  const stored = openStored(scoped(KEY, scope), openNotes(scoped(NOTE, scope)), database)
  const channel = new BroadcastChannel(scoped(CHANNEL, scope))
  const value = createValueStore(await stored.read())
  let invalidToken: string | undefined
  const follow = async () => value.set(await stored.read())
  channel.addEventListener('message', () => void follow())
  const tell = (session: Session | null) => {
    value.set(session)
    channel.postMessage('changed')
  }
  return {
    get: value.get,
    subscribe: value.subscribe,
    read: stored.read,
    async write(session) {
      await stored.write(session)
      tell(session)
    },
    async replace(known, session) {
      const isInvalid = session.expired && session.accessToken === invalidToken
      const next = isInvalid ? { ...session, tokenInvalid: true } : session
      const isDone = await stored.replace({ known, next })
      if (isDone) tell(next)
      return isDone
    },
    async clear() {
      await stored.clear()
      tell(null)
    },
    tokenIsInvalid() {
      invalidToken = value.get()?.accessToken
    },
  }
}

/** The session on disk, and the note of what may not be there yet. */
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
    // on a full disk the note goes on saying it
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
    /** @returns whether it stands, in the store or in the note */
    async replace(next: Renewal): Promise<boolean> {
      // nothing is awaited before it stands
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
  /** @returns the renewal of what is in the store: one that was noted before, and may not be written yet, is part of it */
  write(renewal: Renewal): Renewal
  /** What may not have been written; removed unless something else was noted meanwhile. */
  read(): { renewal: Renewal; remove(): void } | null
  clear(): void
}

/** In localStorage, for all tabs; in this page's memory alone where there is no room. */
function openNotes(name: string): Notes {
  let own: string | null = null
  const text = () => own ?? localStorage.getItem(name)
  const clear = () => {
    own = null
    localStorage.removeItem(name)
  }
  const read = () => {
    const noted = text()
    if (noted === null) return null
    const remove = () => {
      if (text() === noted) clear()
    }
    return { renewal: readStoredJson<Renewal>(noted, { known: EXAMPLE, next: EXAMPLE }), remove }
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
        own = JSON.stringify(renewal)
      }
      return renewal
    },
  }
}

const isSame = (held: Session | null, known: Session) =>
  held?.userInfo.id === known.userInfo.id &&
  held.accessToken === known.accessToken &&
  held.refreshToken === known.refreshToken

/** What another version may have left is no session. */
export const parseSession = (stored: unknown): Session | null => (hasShapeOf(stored, EXAMPLE) ? stored : null)

const EXAMPLE: Session = {
  userName: '',
  expired: false,
  accessToken: '',
  refreshToken: '',
  userInfo: { id: '', userFlag: 0, loginUserName: '' },
}
