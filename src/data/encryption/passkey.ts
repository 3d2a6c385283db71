/**
 * Encrypts a data key for a passkey, in addition to the password. HKDF-SHA-256 derives the encrypting key from the
 * passkey's PRF output. If the passkey is lost, the password still opens the data key.
 */
import { decryptedOrNull, derivedKey, encrypted, utf8 } from './seal.ts'
import type { PasskeyWrap, StoredKey } from './stored-keys.ts'
import { unwrapped, usableKey } from './wrap.ts'

export type PasskeyAsk = Pick<PasskeyWrap, 'credential' | 'salt'>
const SALT_BYTES = 32

export const freshAskSalt = (): ArrayBuffer => crypto.getRandomValues(new Uint8Array(SALT_BYTES)).buffer

/** Derives the non-extractable key that encrypts the data key from the passkey's PRF output, 32 bytes. */
export const passkeyOpener = (secret: BufferSource, salt: ArrayBuffer) =>
  derivedKey(secret, salt, 'genba-passkey')

/** Returns the copy of a key for the passkey; null without one, or if this version does not know its form. */
export function passkeyOf({ wraps }: Pick<StoredKey, 'wraps'>): PasskeyWrap | null {
  const { credential, salt, bytes } = Object(wraps?.passkey) as Partial<Record<keyof PasskeyWrap, unknown>>
  return credential instanceof ArrayBuffer && salt instanceof ArrayBuffer && bytes instanceof ArrayBuffer
    ? { credential, salt, bytes }
    : null
}

/** Returns a data key's bytes, decrypted with the password's or the passkey's key; null if both keys are missing. */
export async function rawOf(key: StoredKey): Promise<ArrayBuffer | null> {
  const { id, opener, passkeyOpener: byPasskey, wrapped } = key
  const raw = opener ? await unwrapped(opener, id, wrapped) : null
  const wrap = passkeyOf(key)
  return raw ?? (byPasskey && wrap ? opened(byPasskey, id, wrap) : null)
}

const opened = (opener: CryptoKey, keyId: string, { bytes }: PasskeyWrap) =>
  decryptedOrNull(opener, labelOf(keyId), bytes)

/** Adds or replaces the copy of a key for the passkey. A key that cannot be decrypted now is returned unchanged. */
export async function withPasskey(key: StoredKey, opener: CryptoKey, ask: PasskeyAsk): Promise<StoredKey> {
  const raw = await rawOf(key)
  if (!raw) return key
  const bytes = await encrypted(opener, labelOf(key.id), raw)
  return { ...key, wraps: { ...key.wraps, passkey: { ...ask, bytes } } }
}

export function withoutPasskey(key: StoredKey): StoredKey {
  const { wraps, ...without } = key
  delete without.passkeyOpener
  const others = { ...wraps }
  delete others.passkey
  return Object.keys(others).length > 0 ? { ...without, wraps: others } : without
}

/** Decrypts a key with a passkey. A key without a copy for this passkey is returned unchanged. */
export async function openedByPasskey(key: StoredKey, opener: CryptoKey) {
  const wrap = passkeyOf(key)
  const raw = wrap && (await opened(opener, key.id, wrap))
  return raw ? { ...key, usable: await usableKey(raw), passkeyOpener: opener } : key
}

const labelOf = (keyId: string) => utf8(`genba-passkey ${keyId}`)
