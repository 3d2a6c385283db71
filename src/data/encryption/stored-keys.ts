/**
 * Stores the keys of the device's users in their own IndexedDB database. Each key is stored wrapped (encrypted) by the
 * password; while its user is signed in, the usable, non-extractable key is stored as well.
 *
 *     login ─→ usable ─→ logout ─→ wrapped only ─┬→ same user's next login ─→ usable
 *                                                └→ no data of the user remains ─→ record deleted
 */
import { del, entries, get, set } from 'idb-keyval'
import { strictStore } from '#lib/browser/strict-store.ts'
import type { Cryptography, DataKey, Sealed } from './seal.ts'
import type { Salting, Wrapped } from './wrap.ts'

/** A data key that is encrypted for a passkey (`passkey.ts`). */
export interface PasskeyWrap {
  credential: ArrayBuffer
  /** Input of the passkey's PRF. */
  salt: ArrayBuffer
  bytes: ArrayBuffer
}

interface Wraps {
  readonly [name: string]: unknown
  readonly passkey?: PasskeyWrap
}

/** A data key of a user, in all forms in which it is stored. */
export interface StoredKey {
  id: string
  wrapped: Wrapped
  /** The data key itself, not extractable; stored while its user is signed in. */
  usable?: CryptoKey
  /** Decrypts `wrapped`; not extractable, and stored while its user is signed in. */
  opener?: CryptoKey
  /** Decrypts `wraps.passkey`; stored after the passkey was used. */
  passkeyOpener?: CryptoKey
  /**
   * Further encrypted copies of the key (`passkey.ts`, `recovery.ts`). Copies of a kind that this version does not know
   * are kept.
   */
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
  /** Session data, encrypted with the current key. */
  who: Sealed
  /** Id of the key that encrypts new data. */
  current: string
  keys: readonly StoredKey[]
  /**
   * True if the user's database may contain rows whose key is not usable. The next opening moves such rows to a
   * separate store (`lock-rows.ts`).
   */
  isToSetAside: boolean
}

const NAME = 'genba-keys'
const USERS = 'users'

export type KeyStore = ReturnType<typeof openKeyStore>

/**
 * Opens the key store, which has a record for each user, under the name of the user's database. A key must be on disk
 * before any data is encrypted with it, because the data would otherwise be lost with the key (SV3).
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

/**
 * Checks a stored record.
 * @throws if a later version of the app has written the record, because it must not be overwritten (SV3)
 */
function parsed(stored: unknown): StoredKeys | null {
  if (stored === undefined) return null
  if (!isWhole(stored)) throw new Error('keys of another version of the app')
  return stored
}

function isWhole(stored: unknown): stored is StoredKeys {
  const { name, who, current, keys, isToSetAside } = Object(stored) as Partial<
    Record<keyof StoredKeys, unknown>
  >
  return (
    isBytes(field(name, 'salt')) &&
    isBytes(field(name, 'digest')) &&
    isBytes(field(who, 'bytes')) &&
    typeof isToSetAside === 'boolean' &&
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

/** Returns the key that encrypts new data. */
export const currentOf = ({ keys, current }: StoredKeys): StoredKey => {
  const key = keys.find(({ id }) => id === current)
  if (!key) throw new Error('no current key')
  return key
}

/** Returns the usable keys, the current key first. */
export const usableKeys = ({ keys, current }: Pick<StoredKeys, 'keys' | 'current'>): DataKey[] =>
  keys
    .toSorted((a, b) => Number(b.id === current) - Number(a.id === current))
    .flatMap(({ id, usable }) => (usable ? [{ id, key: usable }] : []))

/** True if the user's current key is not usable, also if the record is missing (decisions/encryption). */
export const isLocked = (record: StoredKeys | null): boolean => !record || !currentOf(record).usable

/**
 * Removes keys that no data needs. The current key always stays.
 * @param ids of the keys to remove
 */
export const withoutKeys = (record: StoredKeys, ids: ReadonlySet<string>): StoredKeys => ({
  ...record,
  keys: record.keys.filter(({ id }) => id === record.current || !ids.has(id)),
})

/** Returns the SHA-256 of a user name and a salt. */
export async function nameDigest(
  { subtle }: Cryptography,
  userName: string,
  salt: ArrayBuffer,
): Promise<ArrayBuffer> {
  const text = new TextEncoder().encode(userName)
  const both = new Uint8Array(salt.byteLength + text.byteLength)
  both.set(new Uint8Array(salt))
  both.set(text, salt.byteLength)
  return subtle.digest('SHA-256', both)
}

export const saltingOf = ({ wrapped: { salt, rounds } }: StoredKey): Salting => ({ salt, rounds })
