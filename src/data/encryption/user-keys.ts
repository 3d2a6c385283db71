/**
 * The life cycle of a user's keys. Each change of the key store, together with its change of the session, runs under
 * one lock for all tabs, so that a logout in one tab and a login in another cannot mix.
 *
 *     login, no key yet ─────────────→ a new key, wrapped by this password
 *     login, password opens the key ─→ usable
 *     login, otherwise ───┬ signed in until now ─→ the same key, wrapped by this password
 *                         ├ the password opens an earlier key ─→ this is the current key again
 *                         └ else ─→ a new key with new stores; the old ones wait for the old password (`#data/locked`)
 *     logout, lock ─→ no usable key;  no data of the user remains ─→ record deleted
 */
import type { DataLocks } from '#data/database/data-lock.ts'
import { afterLogin, afterOffline, unlocked, placeOfWho, type Login, type Password } from './after-login.ts'
import { freshSalt, isSameBytes, openersOf } from './wrap.ts'
import { createSealer, ringOf } from './key-ring.ts'
import type { Recovery } from './recovery.ts'
import { SealError, type DataKey } from './seal.ts'
import {
  currentOf,
  isLocked,
  isUsable,
  lockedKey,
  nameDigest,
  saltingOf,
  usableKeys,
  type KeyStore,
  type StoredKeys,
  type UnlockedKeyStore,
} from './stored-keys.ts'

const LOCK = 'genba-keys'
/** A tab that has the lock for longer counts as frozen, because a change under the lock takes only milliseconds. */
const FROZEN_AFTER_MS = 5_000

interface UserKeysParts {
  store: KeyStore & Partial<Pick<UnlockedKeyStore, 'lockDisk'>>
  /** True if the user belongs to the CRM of this login. Users of other CRMs are not considered at a login. */
  isOwn: (user: string) => boolean
  locks: DataLocks
  newId: () => string
  /** Loads the operator's recovery key (decisions/encryption); none by default. */
  recovery?: () => Promise<Recovery>
  /** PBKDF2 rounds for newly encrypted keys; fewer in tests. */
  rounds?: number
}

type Changed = (record: StoredKeys) => StoredKeys | null | Promise<StoredKeys | null>
export type KeyRecords = Pick<UserKeys<unknown>, 'record' | 'change'>
export type IsSignedIn = (user: string) => Promise<boolean>
export type UserKeys<Who> = ReturnType<typeof createUserKeys<Who>>

export function createUserKeys<Who>(parts: UserKeysParts) {
  const { store, locks } = parts
  const exclusively = <T>(run: () => Promise<T>) => underLock(locks, run)
  return {
    /** Prepares a login. The slow key derivation starts at once, while the CRM checks the password. */
    trying: (userName: string, text: string) => tryingOf<Who>(parts, userName, text),
    lock: (isSignedIn: IsSignedIn): Promise<void> =>
      exclusively(async () => {
        for (const [user, record] of await store.all()) {
          if (record.keys.some(isUsable) && !(await isSignedIn(user)))
            await store.set(user, { ...record, keys: record.keys.map(lockedKey) })
        }
      }),
    /** Sets or removes the screen lock with `setLock`, then moves the unlocked keys between disk and memory. */
    setLock: (setLock: () => Promise<void>): Promise<void> =>
      exclusively(async () => {
        const all = await store.all()
        await setLock()
        for (const [user, record] of all) await store.set(user, record)
      }),
    /** Completes a screen lock that was being set when the app was killed. */
    finishLock: (): Promise<void> => exclusively(async () => store.lockDisk?.()),
    /** Deletes the keys of a user, unless the user has signed in meanwhile. */
    forget: (user: string, isSignedIn: IsSignedIn): Promise<void> =>
      exclusively(async () => {
        if (!(await isSignedIn(user))) await store.remove(user)
      }),
    /** Changes a user's keys outside a login; null from `changed` changes nothing. @returns true if it was changed */
    change: (user: string, changed: Changed): Promise<boolean> =>
      exclusively(async () => {
        const record = await store.get(user)
        const next = record && (await changed(record))
        if (next) await store.set(user, next)
        return next !== null
      }),
    /**
     * Makes the earlier keys usable that a password opens. They are on disk when this resolves, so that the next start
     * needs no password. @returns the ids of these keys; none if the present key is locked
     */
    async openEarlier(user: string, text: string): Promise<string[]> {
      const before = await store.get(user)
      const earlier = before?.keys.filter(({ id }) => id !== before.current) ?? []
      const password = { opener: openersOf(text) }
      const tried = await unlocked('unknown', earlier, password)
      const opened = new Map(tried.filter((key) => !earlier.includes(key)).map((key) => [key.id, key]))
      await exclusively(async () => {
        const record = await store.get(user)
        if (!record || isLocked(record)) return opened.clear()
        await store.set(user, { ...record, keys: record.keys.map((key) => opened.get(key.id) ?? key) })
      })
      return [...opened.keys()]
    },
    record: (user: string): Promise<StoredKeys | null> => store.get(user),
    ring: (user: string) => ringOfStored(() => store.get(user)),
    users: async (): Promise<string[]> => (await store.all()).map(([user]) => user),
  }
}

/** Calls `run` under the exclusive lock. A tab that counts as frozen loses the lock (decisions/tabs). */
async function underLock<T>(locks: DataLocks, run: () => Promise<T>): Promise<T> {
  if (!locks) return run()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), FROZEN_AFTER_MS)
  let isBegun = false
  try {
    return await locks.request(LOCK, { mode: 'exclusive', signal: late.signal }, () => {
      isBegun = true
      clearTimeout(timer)
      return run()
    })
  } catch (error) {
    if (isBegun || !late.signal.aborted) throw error
    return await locks.request(LOCK, { mode: 'exclusive', steal: true }, run)
  } finally {
    clearTimeout(timer)
  }
}

async function tryingOf<Who>(parts: UserKeysParts, userName: string, text: string) {
  const { store, locks, newId } = parts
  const password = await passwordOf(parts, userName, text)
  return {
    /** Stores the keys after the CRM has accepted the password, and the session (`signedIn`) under the same lock. */
    login: (login: Login<Who>, signedIn: () => Promise<void>): Promise<void> =>
      underLock(locks, async () => {
        const before = await store.get(login.user)
        const making = { newId, recovery: await recoveryOf(parts) }
        await store.set(login.user, await afterLogin(making, before, password, login))
        await signedIn()
      }),
    /** Logs in without the CRM. @returns true if the password opens the device's data */
    offline: (signedIn: (who: Who) => Promise<void>): Promise<boolean> =>
      underLock(locks, async () => {
        const [user, before] = (await recordNamed(parts, userName)) ?? []
        const keys = before && (await afterOffline(await recoveryOf(parts), before, password))
        if (user === undefined || !keys) return false
        await store.set(user, keys)
        const sealer = createSealer(ringOf(...usableKeys(keys)))
        await signedIn((await sealer.openValue(placeOfWho(user), keys.who)) as Who)
        return true
      }),
  }
}

const recoveryOf = async ({ recovery }: UserKeysParts): Promise<Recovery> => (await recovery?.()) ?? 'none'

async function passwordOf(parts: UserKeysParts, userName: string, text: string): Promise<Password> {
  const opener = openersOf(text)
  const [, known] = (await recordNamed(parts, userName)) ?? []
  const fresh = freshSalt(parts.rounds)
  // The empty handler prevents an unhandled rejection. Callers that await the cached result handle the error.
  opener(known ? saltingOf(currentOf(known)) : fresh).catch(() => undefined)
  return { opener, fresh }
}

async function recordNamed({ store, isOwn }: UserKeysParts, userName: string) {
  for (const entry of await store.all()) {
    const [user, { name }] = entry
    if (isOwn(user) && isSameBytes(await nameDigest(userName, name.salt), name.digest)) return entry
  }
  return undefined
}

/**
 * Returns a key ring that reads the key store once and then keeps the keys in memory, so that this tab can finish its
 * writes after another tab has removed the keys.
 */
function ringOfStored(read: () => Promise<StoredKeys | null>) {
  let current: DataKey | null = null
  const known = new Map<string, CryptoKey>()
  const readNow = async () => {
    const record = await read()
    for (const { id, usable } of record?.keys ?? []) if (usable) known.set(id, usable)
    return record
  }
  return {
    async current(): Promise<DataKey> {
      if (current) return current
      const record = await readNow()
      const { id, usable } = record ? currentOf(record) : {}
      if (id === undefined || !usable) throw new SealError('no-key', 'keys')
      return (current = { id, key: usable })
    },
    async byId(id: string): Promise<CryptoKey | null> {
      if (!known.has(id)) await readNow()
      return known.get(id) ?? null
    },
    forget(): void {
      current = null
      known.clear()
    },
  }
}
