/**
 * The life cycle of a user's keys. Every change of the key store runs under one lock across all tabs,
 * together with the session change that belongs to it. A logout in one tab and a login in another end as if
 * one had followed the other.
 *
 *     login, no key yet ─────────────→ a new key, wrapped by this password
 *     login, password opens the key ─→ usable
 *     login, it does not ─┬ signed in until now ─→ the same key, wrapped by this password
 *                         └ else ─→ a new key for new rows; the old key waits for the old password (`lock-rows.ts`)
 *     logout, lock ─→ no usable key;  no data of the user remains ─→ record deleted
 */
import type { DataLocks } from '#data/database/data-lock.ts'
import { afterLogin, afterOffline, unlocked, placeOfWho, type Login, type Password } from './after-login.ts'
import { freshSalt, isSameBytes, openersOf } from './wrap.ts'
import { createSealer, ringOf } from './key-ring.ts'
import type { Recovery } from './recovery.ts'
import { SealError, type Cryptography, type DataKey } from './seal.ts'
import {
  currentOf,
  isUsable,
  lockedKey,
  nameDigest,
  saltingOf,
  usableKeys,
  type KeyStore,
  type StoredKey,
  type StoredKeys,
} from './stored-keys.ts'
import type { UnlockedKeyStore } from './unlocked-keys.ts'

const LOCK = 'genba-keys'
/** A change under the lock takes milliseconds. After this time the tab that owns the lock counts as frozen. */
const FROZEN_AFTER_MS = 5_000

interface UserKeysParts {
  store: KeyStore & Partial<Pick<UnlockedKeyStore, 'lockDisk'>>
  /** True if a user belongs to the CRM of this login: a password opens no data of another CRM's user. */
  isOwn: (user: string) => boolean
  cryptography: Cryptography
  locks: DataLocks
  newId: () => string
  /** The operator's recovery key (decisions/encryption); none by default. */
  recovery?: () => Promise<Recovery>
  /** PBKDF2 rounds for new wraps; fewer in tests. */
  rounds?: number
}

/** Computes a changed record; null leaves the record unchanged. */
type Changed = (record: StoredKeys) => StoredKeys | null | Promise<StoredKeys | null>

/** The stored keys of users. */
export type KeyRecords = Pick<UserKeys<unknown>, 'record' | 'change'>

/** True if this user is signed in on this device. */
export type IsSignedIn = (user: string) => Promise<boolean>

export type UserKeys<Who> = ReturnType<typeof createUserKeys<Who>>

export function createUserKeys<Who>(parts: UserKeysParts) {
  const { store, locks } = parts
  const exclusively = <T>(run: () => Promise<T>) => underLock(locks, run)
  return {
    /** Prepares a login. Starts the slow derivation at once, in parallel to the call to the CRM. */
    trying: (userName: string, text: string) => tryingOf<Who>(parts, userName, text),
    /** Removes the usable keys of everyone who is not signed in. */
    lock: (isSignedIn: IsSignedIn): Promise<void> =>
      exclusively(async () => {
        for (const [user, record] of await store.all()) {
          if (record.keys.some(isUsable) && !(await isSignedIn(user)))
            await store.set(user, { ...record, keys: record.keys.map(lockedKey) })
        }
      }),
    /**
     * Sets or removes the screen lock, and moves the unlocked keys between disk and memory.
     * @param setLock writes the setting; it is on disk before the keys move
     */
    setLock: (setLock: () => Promise<void>): Promise<void> =>
      exclusively(async () => {
        const all = await store.all()
        await setLock()
        for (const [user, record] of all) await store.set(user, record)
      }),
    /** Finishes a screen lock that was being set when the app was killed. */
    finishLock: (): Promise<void> => exclusively(async () => store.lockDisk?.()),
    /** Deletes the keys of a user who has no data on the device and is not signed in. */
    forget: (user: string, isSignedIn: IsSignedIn): Promise<void> =>
      exclusively(async () => {
        if (!(await isSignedIn(user))) await store.remove(user)
      }),
    /**
     * Changes a user's keys outside a login.
     * @param changed computes the new record; null leaves the record unchanged
     * @returns true if the record was changed
     */
    change: (user: string, changed: Changed): Promise<boolean> =>
      exclusively(async () => {
        const record = await store.get(user)
        const next = record && (await changed(record))
        if (next) await store.set(user, next)
        return next !== null
      }),
    /** The keys of the user's locked data that an earlier password opens. Stores nothing. */
    async openedBy(user: string, text: string): Promise<DataKey[]> {
      const record = await store.get(user)
      if (!record) return []
      const password = { opener: openersOf(parts.cryptography, text) }
      const keys = await unlocked({ ...parts, recovery: 'unknown' }, record.keys.filter(isClosed), password)
      return usableKeys({ ...record, keys })
    },
    record: (user: string): Promise<StoredKeys | null> => store.get(user),
    ring: (user: string) => ringOfStored(() => store.get(user)),
    /** The database names of all users with keys. */
    users: async (): Promise<string[]> => (await store.all()).map(([user]) => user),
  }
}

const isClosed = ({ usable }: StoredKey) => !usable

/** Runs `run` under the exclusive lock. A frozen tab loses the lock (decisions/tabs). */
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
  const { store, cryptography, locks } = parts
  const password = await passwordOf(parts, userName, text)
  return {
    /**
     * Stores the keys after the CRM has accepted the password.
     * @param signedIn writes the session, under the same lock
     */
    login: (login: Login<Who>, signedIn: () => Promise<void>): Promise<void> =>
      underLock(locks, async () => {
        const before = await store.get(login.user)
        await store.set(login.user, await afterLogin(await withRecoveryKey(parts), before, password, login))
        await signedIn()
      }),
    /**
     * A login without the CRM.
     * @returns true if the password opens the device's data
     */
    offline: (signedIn: (who: Who) => Promise<void>): Promise<boolean> =>
      underLock(locks, async () => {
        const [user, before] = (await recordNamed(parts, userName)) ?? []
        const keys = before && (await afterOffline(await withRecoveryKey(parts), before, password))
        if (user === undefined || !keys) return false
        await store.set(user, keys)
        const sealer = createSealer(cryptography, ringOf(...usableKeys(keys)))
        await signedIn((await sealer.openValue(placeOfWho(user), keys.who)) as Who)
        return true
      }),
  }
}

const withRecoveryKey = async (parts: UserKeysParts) => ({
  ...parts,
  recovery: (await parts.recovery?.()) ?? 'none',
})

async function passwordOf(parts: UserKeysParts, userName: string, text: string): Promise<Password> {
  const { cryptography, rounds } = parts
  const opener = openersOf(cryptography, text)
  const [, known] = (await recordNamed(parts, userName)) ?? []
  const fresh = freshSalt(cryptography, rounds)
  // A failure is handled where the promise is awaited.
  opener(known ? saltingOf(currentOf(known)) : fresh).catch(() => undefined)
  return { opener, fresh }
}

async function recordNamed(
  { store, isOwn, cryptography }: UserKeysParts,
  userName: string,
): Promise<[user: string, record: StoredKeys] | undefined> {
  for (const [user, record] of await store.all()) {
    const { salt, digest } = record.name
    if (isOwn(user) && isSameBytes(await nameDigest(cryptography, userName, salt), digest))
      return [user, record]
  }
  return undefined
}

/**
 * A ring that reads the key store until it finds a key and then caches it. If another tab removes the keys,
 * this tab can still finish what it is writing.
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
    /** Empties the cache, so that keys are read again. */
    forget(): void {
      current = null
      known.clear()
    },
  }
}
