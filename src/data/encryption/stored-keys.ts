/**
 * Stores the keys of the device's users in their own IndexedDB database. Each key is stored wrapped (encrypted) by the
 * password; while its user is signed in, the usable, non-extractable key is stored as well.
 *
 *     login ─→ usable ─→ logout ─→ wrapped only ─┬→ same user's next login ─→ usable
 *                                                └→ no data of the user remains ─→ record deleted
 */
import { del, entries, get, set } from 'idb-keyval'
import { storesName, userOf } from '#data/database/database-name.ts'
import { strictStore } from '#lib/browser/strict-store.ts'
import type { DataKey, Sealed } from './seal.ts'
import type { Salting, Wrapped } from './wrap.ts'

export type PasskeyWrap = { credential: ArrayBuffer; salt: ArrayBuffer; bytes: ArrayBuffer }

type Wraps = { readonly [name: string]: unknown; readonly passkey?: PasskeyWrap }

export interface StoredKey {
  id: string
  wrapped: Wrapped
  /** The data key itself, not extractable; stored while its user is signed in. */
  usable?: CryptoKey
  /** Decrypts `wrapped`; not extractable, and stored while its user is signed in. */
  opener?: CryptoKey
  /** Decrypts `wraps.passkey`; stored after the passkey was used. */
  passkeyOpener?: CryptoKey
  /** Further encrypted copies (`passkey.ts`, `recovery.ts`). Those of a kind unknown to this version are kept. */
  wraps?: Wraps
}

/** Returns the key as it is stored after a logout: its id and its encrypted copies. */
export const lockedKey = ({ id, wrapped, wraps }: StoredKey): StoredKey => ({
  id,
  wrapped,
  ...(wraps && { wraps }),
})

/** True if the key can be used without the password or a passkey. */
export const isUsable = (key: StoredKey): boolean =>
  (key.usable ?? key.opener ?? key.passkeyOpener) !== undefined

export interface StoredKeys {
  /** Hash of the user name with a salt, to find the record at a login without the CRM. */
  name: { salt: ArrayBuffer; digest: ArrayBuffer }
  who: Sealed
  current: string
  /** The current key and earlier ones, whose stores are locked data (`#data/locked`). */
  keys: readonly StoredKey[]
}

const NAME = 'genba-keys'
const USERS = 'users'
export type KeyStore = ReturnType<typeof openKeyStore>

/**
 * Opens the key store, a record for each user under the name of the user's database. A key must be on disk before any
 * data is encrypted with it, because the data would otherwise be lost with the key (SV3).
 */
export function openKeyStore() {
  const store = strictStore(NAME, USERS)
  return {
    get: async (user: string): Promise<StoredKeys | null> => parsed(await get(user, store)),
    set: (user: string, keys: StoredKeys): Promise<void> => set(user, keys, store),
    remove: (user: string): Promise<void> => del(user, store),
    async all(): Promise<[user: string, keys: StoredKeys][]> {
      const records = await entries<string, unknown>(store)
      return records.flatMap(([user, stored]) => (isWhole(stored) ? [[user, stored]] : []))
    },
  }
}

/** @throws if a later version of the app has written the record, because it must not be overwritten (SV3) */
function parsed(stored: unknown): StoredKeys | null {
  if (stored === undefined) return null
  if (!isWhole(stored)) throw new Error('keys of another version of the app')
  return stored
}

function isWhole(stored: unknown): stored is StoredKeys {
  const { name, who, current, keys } = Object(stored) as Partial<Record<keyof StoredKeys, unknown>>
  return (
    isBytes(field(name, 'salt')) &&
    isBytes(field(name, 'digest')) &&
    isBytes(field(who, 'bytes')) &&
    Array.isArray(keys) &&
    keys.every(isKey) &&
    keys.some(({ id }) => id === current)
  )
}

const field = (value: unknown, name: string): unknown => Reflect.get(Object(value), name)
const isBytes = (value: unknown) => value instanceof ArrayBuffer
const isKey = (value: unknown): value is StoredKey => {
  const wrapped = field(value, 'wrapped')
  return (
    typeof field(value, 'id') === 'string' &&
    isBytes(field(wrapped, 'salt')) &&
    isBytes(field(wrapped, 'bytes')) &&
    typeof field(wrapped, 'rounds') === 'number'
  )
}

export const currentOf = ({ keys, current }: StoredKeys): StoredKey => {
  const key = keys.find(({ id }) => id === current)
  if (!key) throw new Error('no current key')
  return key
}

export const usableKeys = ({ keys, current }: Pick<StoredKeys, 'keys' | 'current'>): DataKey[] =>
  keys
    .toSorted((a, b) => Number(b.id === current) - Number(a.id === current))
    .flatMap(({ id, usable }) => (usable ? [{ id, key: usable }] : []))

/** True if the user's current key is not usable, also if the record is missing (decisions/encryption). */
export const isLocked = (record: StoredKeys | null): boolean => !record || !currentOf(record).usable

/** Returns the key of stores; undefined if the record lacks it. @param stores see `storesName` */
export const keyOfStores = (record: StoredKeys | null, stores: string): StoredKey | undefined =>
  record?.keys.find(({ id }) => storesName(userOf(stores), id) === stores)

export async function nameDigest(userName: string, salt: ArrayBuffer) {
  const text = new TextEncoder().encode(userName)
  const both = new Uint8Array(salt.byteLength + text.byteLength)
  both.set(new Uint8Array(salt))
  both.set(text, salt.byteLength)
  return crypto.subtle.digest('SHA-256', both)
}

export const saltingOf = ({ wrapped: { salt, rounds } }: StoredKey): Salting => ({ salt, rounds })
export const UNLOCKED_KEYS_CHANNEL = 'genba-held-keys'
const ANSWER_MS = 300

interface UnlockedKeys {
  isLockSet: () => Promise<boolean>
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>
  /** False in a service worker: it gets keys but never passes them on, because it can outlive the app's pages. */
  gives?: boolean
}

export interface UnlockedKeyStore extends KeyStore {
  /** Removes unlocked keys from the disk if a screen lock is set. Keys in memory stay. */
  lockDisk(): Promise<void>
}

type Unlocked = ReadonlyMap<string, StoredKey>
type Message = { kind: 'ask' } | { kind: 'held'; user: string; keys: readonly StoredKey[] }

/**
 * Keeps unlocked keys in memory while a screen lock is set. The disk then has only encrypted keys, so that an app that
 * was closed or killed asks for the password. An open page passes its keys to a page that starts.
 *
 *     unlock, login ─→ memory of this page ─→ sent to other pages
 *     start ─→ asks other pages ─→ receives the keys, or is locked
 *
 * If the app is killed while the lock is being set, unlocked keys stay on the disk. They are ignored, and the next
 * start removes them.
 */
export function unlockedKeys(store: KeyStore, parts: UnlockedKeys): UnlockedKeyStore {
  const { isLockSet, channel, gives = true } = parts
  const users = new Map<string, Unlocked>()
  let answered: () => void = () => undefined
  const send = (user: string) => {
    const keys = [...(users.get(user)?.values() ?? [])]
    if (gives) channel.postMessage({ kind: 'held', user, keys } satisfies Message)
  }
  const remember = (user: string, keys: readonly StoredKey[]) => {
    users.set(user, new Map(keys.filter(isUsable).map((key) => [key.id, key])))
  }
  channel.addEventListener('message', ({ data }) => {
    const message = data as Message
    if (message.kind === 'held') {
      remember(message.user, message.keys)
      answered()
    } else for (const [user, ownKeys] of users) if (ownKeys.size > 0) send(user)
  })
  let asking: Promise<void> | undefined
  const ask = () =>
    (asking ??= new Promise((resolve) => {
      answered = resolve
      setTimeout(resolve, ANSWER_MS)
      channel.postMessage({ kind: 'ask' } satisfies Message)
    }))
  /** Adds the unlocked keys in memory to a record. Unlocked keys on disk are ignored while a lock is set. */
  const withUnlocked = async (user: string, record: StoredKeys): Promise<StoredKeys> => {
    if (!(await isLockSet())) return record
    if (!users.get(user)?.size) await ask()
    const ownKeys = users.get(user)
    return { ...record, keys: record.keys.map((key) => withUnlockedParts(key, ownKeys?.get(key.id))) }
  }
  return {
    async get(user) {
      const record = await store.get(user)
      return record && withUnlocked(user, record)
    },
    async set(user, record) {
      const isLockOn = await isLockSet()
      await store.set(user, isLockOn ? withoutUnlocked(record) : record)
      remember(user, isLockOn ? record.keys : [])
      send(user)
    },
    async remove(user) {
      await store.remove(user)
      remember(user, [])
      send(user)
    },
    async all() {
      const withKeys = async ([user, record]: [string, StoredKeys]): Promise<[string, StoredKeys]> => [
        user,
        await withUnlocked(user, record),
      ]
      return Promise.all((await store.all()).map(withKeys))
    },
    lockDisk: async () => ((await isLockSet()) ? lockAll(store) : undefined),
  }
}

const withoutUnlocked = (record: StoredKeys): StoredKeys => ({ ...record, keys: record.keys.map(lockedKey) })

async function lockAll(store: KeyStore): Promise<void> {
  for (const [user, record] of await store.all())
    if (record.keys.some(isUsable)) await store.set(user, withoutUnlocked(record))
}

/** Adds the unlocked key from memory. The encrypted copies come from the disk: those in memory may be outdated. */
function withUnlockedParts(key: StoredKey, inMemory: StoredKey | undefined): StoredKey {
  if (!inMemory) return lockedKey(key)
  const { wraps: _wraps, ...unlockedParts } = inMemory
  return { ...unlockedParts, ...lockedKey(key) }
}
