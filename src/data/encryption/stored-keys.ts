/**
 * What the device keeps of its users' keys, in an IndexedDB of its own: each wrapped by the password, and beside it, while
 * the user is signed in, the key itself for use only. A record is read and written whole, in one transaction.
 *
 *     login ─→ usable ─→ logout ─→ wrapped ─┬→ same user's next login ─→ usable
 *                                           └→ nothing of the user is left ─→ gone
 */
import { del, entries, get, set } from 'idb-keyval'
import { strictStore } from '#lib/browser/strict-store.ts'
import type { Cryptography, Sealed } from './seal.ts'
import type { Salting, Wrapped } from './wrap.ts'

/** The key under a passkey (`passkey.ts`). */
export interface PasskeyWrap {
  /** The browser's id of the passkey. */
  credential: ArrayBuffer
  /** What the passkey's PRF is asked with. */
  salt: ArrayBuffer
  bytes: ArrayBuffer
}

interface Wraps {
  readonly [name: string]: unknown
  readonly passkey?: PasskeyWrap
}

export interface StoredKey {
  id: string
  wrapped: Wrapped
  /** While its user is signed in: the key, and the key that opens `wrapped`. Neither can be read out. */
  usable?: CryptoKey
  opener?: CryptoKey
  /** The key that opens `wraps.passkey`, where the passkey has opened it. */
  passkeyOpener?: CryptoKey
  /** Other ways to it, each written by its own part (`passkey.ts`, `recovery.ts`); what this version does not know stays. */
  wraps?: Wraps
}

/** Without what opens anything. */
export const lockedKey = ({ id, wrapped, wraps }: StoredKey): StoredKey => ({
  id,
  wrapped,
  ...(wraps && { wraps }),
})

export const isUsable = (key: StoredKey): boolean =>
  (key.usable ?? key.opener ?? key.passkeyOpener) !== undefined

export interface StoredKeys {
  /** Digest of the user name with a salt: finds the record where no CRM says whose it is. */
  name: { salt: ArrayBuffer; digest: ArrayBuffer }
  /** Who it is, sealed with the current key. */
  who: Sealed
  /** Id of the one that is sealed with. */
  current: string
  keys: readonly StoredKey[]
  /** What lies there may be sealed with a key that cannot be used (`lock-rows.ts`). */
  isToSetAside: boolean
}

const NAME = 'genba-keys'
const USERS = 'users'

export type KeyStore = ReturnType<typeof openKeyStore>

/** By the name of the user's database; on disk before any row that is sealed with it: a key that is lost loses them all (SV3). */
export function openKeyStore() {
  const store = strictStore(NAME, USERS)
  return {
    get: async (user: string): Promise<StoredKeys | null> => parsed(await get(user, store)),
    set: (user: string, keys: StoredKeys): Promise<void> => set(user, keys, store),
    remove: (user: string): Promise<void> => del(user, store),
    async all(): Promise<[user: string, keys: StoredKeys][]> {
      const found = await entries<string, unknown>(store)
      return found.flatMap(([user, stored]) => (isWhole(stored) ? [[user, stored]] : []))
    },
  }
}

/** @throws where it is not what this version writes: it is of a later one, and must not be written over (SV3) */
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

export const currentOf = ({ keys, current }: StoredKeys): StoredKey => {
  const found = keys.find(({ id }) => id === current)
  if (!found) throw new Error('no current key')
  return found
}

/** @param ids of keys that nothing is sealed with any more; the one that is sealed with now always stays */
export const withoutKeys = (record: StoredKeys, ids: ReadonlySet<string>): StoredKeys => ({
  ...record,
  keys: record.keys.filter(({ id }) => id === record.current || !ids.has(id)),
})

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

export const isSameBytes = (a: ArrayBuffer, b: ArrayBuffer): boolean => {
  const [first, second] = [new Uint8Array(a), new Uint8Array(b)]
  return first.length === second.length && first.every((byte, at) => byte === second[at])
}

export const saltingOf = ({ wrapped: { salt, rounds } }: StoredKey): Salting => ({ salt, rounds })
