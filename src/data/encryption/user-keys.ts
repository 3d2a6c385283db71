/**
 * The life of a user's key. All that changes what is kept runs alone, over all tabs, together with the session that goes with
 * it: a logout in one tab and a login in another end as if one had come after the other.
 *
 *     login, no key yet ───────────────→ a new key, under this password
 *     login, it opens the key ─────────→ usable
 *     login, it does not: ─┬ signed in until now ─→ the same key, under this password
 *                          └ else ─→ a new key for new rows; the old one waits for the old password (`lock-rows.ts`)
 *     logout, lock ─→ nothing usable is there;  nothing of the user is left ─→ the record goes
 */
import type { DataLocks } from '#data/database/data-lock.ts'
import { afterLogin, afterOffline, opened, placeOfWho, type Login, type Password } from './after-login.ts'
import { openersOf } from './openers.ts'
import { createSealer, type KeyRing } from './key-ring.ts'
import type { Recovery } from './recovery.ts'
import { SealError, type Cryptography, type DataKey } from './seal.ts'
import {
  currentOf,
  isSameBytes,
  isUsable,
  lockedKey,
  nameDigest,
  saltingOf,
  type KeyStore,
  type StoredKeys,
} from './stored-keys.ts'
import { freshSalt } from './wrap.ts'

const LOCK = 'genba-keys'
/** A turn takes milliseconds: a tab that has it for so long is frozen. */
const TURN_MS = 5_000

interface UserKeysParts {
  store: KeyStore
  /** Whether a user is one of the CRM that is logged in to: a password opens nothing of another's. */
  isOwn: (user: string) => boolean
  cryptography: Cryptography
  locks: DataLocks
  newId: () => string
  /** Whom keys are wrapped for beside the password (decisions/encryption); nobody where it is not said. */
  recovery?: () => Promise<Recovery>
  /** Rounds of PBKDF2 for what is wrapped anew; fewer in tests. */
  rounds?: number
}

type Changed = (record: StoredKeys) => StoredKeys | null | Promise<StoredKeys | null>

/** Keeps the keys that it has read in memory. */
interface ForgettingRing extends KeyRing {
  /** They are read anew from now on. */
  forget(): void
}

export type IsSignedIn = (user: string) => Promise<boolean>

export type UserKeys<Who> = ReturnType<typeof createUserKeys<Who>>

type Alone = <T>(run: () => Promise<T>) => Promise<T>

export function createUserKeys<Who>(parts: UserKeysParts) {
  const { store, locks } = parts
  const alone: Alone = (run) => inTurn(locks, run)
  return {
    /** What a password opens; what takes long begins at once, beside the call to the CRM. */
    trying: (userName: string, text: string) => tryingOf<Who>(parts, alone, userName, text),
    /** Destroys what is usable. @param isSignedIn whether somebody is, as this user, on this device */
    lock: (isSignedIn: IsSignedIn): Promise<void> =>
      alone(async () => {
        for (const [user, record] of await store.all()) {
          if (record.keys.some(isUsable) && !(await isSignedIn(user)))
            await store.set(user, { ...record, keys: record.keys.map(lockedKey) })
        }
      }),
    /** What opens the keys goes to where it belongs with a lock, or without. @param setLock is on the disk before that */
    setLock: (setLock: () => Promise<void>): Promise<void> =>
      alone(async () => {
        const all = await store.all()
        await setLock()
        for (const [user, record] of all) await store.set(user, record)
      }),
    /** Nothing of the user is left on the device. */
    forget: (user: string, isSignedIn: IsSignedIn): Promise<void> =>
      alone(async () => {
        if (!(await isSignedIn(user))) await store.remove(user)
      }),
    /** What is changed beside a login. @param changed null: it stays as it is @returns whether it was changed */
    change: (user: string, changed: Changed): Promise<boolean> =>
      alone(async () => {
        const record = await store.get(user)
        const next = record && (await changed(record))
        if (next) await store.set(user, next)
        return next !== null
      }),
    /** @returns those that the password of then opens, of the keys that are locked; nothing of it is kept */
    async openedBy(user: string, text: string): Promise<DataKey[]> {
      const record = await store.get(user)
      if (!record) return []
      const locked = record.keys.filter(({ usable }) => !usable)
      const password = { opener: openersOf(parts.cryptography, text) }
      const keys = await opened({ ...parts, recovery: 'unknown' }, locked, password)
      return keys.flatMap(({ id, usable }) => (usable ? [{ id, key: usable }] : []))
    },
    record: (user: string): Promise<StoredKeys | null> => store.get(user),
    ring: (user: string): ForgettingRing => ringOfStored(() => store.get(user)),
    /** Of everyone who has a key. */
    users: async (): Promise<string[]> => (await store.all()).map(([user]) => user),
  }
}

/** One after another over all tabs; a tab that stands still loses its turn (decisions/tabs). */
async function inTurn<T>(locks: DataLocks, run: () => Promise<T>): Promise<T> {
  if (!locks) return run()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), TURN_MS)
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

async function tryingOf<Who>(parts: UserKeysParts, alone: Alone, userName: string, text: string) {
  const { store, cryptography } = parts
  const password = await passwordOf(parts, userName, text)
  return {
    /** The CRM has said yes. @param signedIn writes the session, in the same turn */
    login: (login: Login<Who>, signedIn: () => Promise<void>): Promise<void> =>
      alone(async () => {
        await store.set(
          login.user,
          await afterLogin(await withRecoveryKey(parts), await store.get(login.user), password, login),
        )
        await signedIn()
      }),
    /** The CRM cannot be asked. @returns whether the password opens what is on the device */
    offline: (signedIn: (who: Who) => Promise<void>): Promise<boolean> =>
      alone(async () => {
        const [user, before] = (await recordNamed(parts, userName)) ?? []
        const keys = before && (await afterOffline(await withRecoveryKey(parts), before, password))
        if (user === undefined || !keys) return false
        await store.set(user, keys)
        const sealer = createSealer(
          cryptography,
          ringOfStored(async () => keys),
        )
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
  // a failure is told where it is awaited
  opener(known ? saltingOf(currentOf(known)) : fresh).catch(() => undefined)
  return { opener, fresh }
}

async function recordNamed(
  { store, isOwn, cryptography }: UserKeysParts,
  userName: string,
): Promise<[user: string, record: StoredKeys] | undefined> {
  for (const found of await store.all()) {
    const { salt, digest } = found[1].name
    if (isOwn(found[0]) && isSameBytes(await nameDigest(cryptography, userName, salt), digest)) return found
  }
  return undefined
}

/**
 * Reads what is kept until there is a key. What was read stays until it is forgotten: where
 * another tab destroys the keys, this one still closes what is under way.
 */
function ringOfStored(read: () => Promise<StoredKeys | null>): ForgettingRing {
  let current: DataKey | null = null
  const known = new Map<string, CryptoKey>()
  const readNow = async () => {
    const record = await read()
    for (const { id, usable } of record?.keys ?? []) if (usable) known.set(id, usable)
    return record
  }
  return {
    async current() {
      if (current) return current
      const record = await readNow()
      const { id, usable } = record ? currentOf(record) : {}
      if (id === undefined || !usable) throw new SealError('no-key', 'keys')
      return (current = { id, key: usable })
    },
    async byId(id) {
      if (!known.has(id)) await readNow()
      return known.get(id) ?? null
    },
    forget() {
      current = null
      known.clear()
    },
  }
}
