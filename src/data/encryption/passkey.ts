/**
 * A data key under a passkey, beside the password's wrapping: HKDF-SHA-256 makes of what the passkey's PRF gives for a salt
 * the key that encrypts the 32 bytes of the data key. Where the passkey is lost, the password opens as before.
 */
import { decrypted, encrypted, type Cryptography } from './seal.ts'
import type { PasskeyWrap, StoredKey } from './stored-keys.ts'
import { unwrapped, usableKey } from './wrap.ts'

/** Which passkey, and what it is asked with. */
export type PasskeyAsk = Pick<PasskeyWrap, 'credential' | 'salt'>

const KEY_BITS = 256
const SALT_BYTES = 32

export const freshAskSalt = (cryptography: Cryptography): ArrayBuffer =>
  cryptography.getRandomValues(new Uint8Array(SALT_BYTES)).buffer

/** @param secret of the PRF, 32 bytes @returns the key that opens what is wrapped; it cannot be read out */
export async function passkeyOpener(
  { subtle }: Cryptography,
  secret: BufferSource,
  salt: ArrayBuffer,
): Promise<CryptoKey> {
  const from = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8('genba-passkey') }
  return subtle.deriveKey(algorithm, from, { name: 'AES-GCM', length: KEY_BITS }, false, [
    'encrypt',
    'decrypt',
  ])
}

/** What is kept of one; null where there is none, or none that this version knows. */
export function passkeyOf({ wraps }: Pick<StoredKey, 'wraps'>): PasskeyWrap | null {
  const { credential, salt, bytes } = Object(wraps?.passkey) as Partial<Record<keyof PasskeyWrap, unknown>>
  return credential instanceof ArrayBuffer && salt instanceof ArrayBuffer && bytes instanceof ArrayBuffer
    ? { credential, salt, bytes }
    : null
}

/** @returns the bytes of the data key, by whichever opener is at hand; null where none is */
export async function rawOf(cryptography: Cryptography, key: StoredKey): Promise<ArrayBuffer | null> {
  const { id, opener, passkeyOpener: byPasskey, wrapped } = key
  const raw = opener ? await unwrapped(cryptography, opener, id, wrapped) : null
  const wrap = passkeyOf(key)
  return raw ?? (byPasskey && wrap ? opened(cryptography, byPasskey, id, wrap) : null)
}

async function opened(
  cryptography: Cryptography,
  opener: CryptoKey,
  keyId: string,
  { bytes }: PasskeyWrap,
): Promise<ArrayBuffer | null> {
  try {
    return await decrypted(cryptography, opener, labelOf(keyId), bytes)
  } catch {
    return null
  }
}

/** @returns the key with this passkey, in place of any before; as it was where it cannot be opened now */
export async function withPasskey(
  cryptography: Cryptography,
  key: StoredKey,
  opener: CryptoKey,
  ask: PasskeyAsk,
): Promise<StoredKey> {
  const raw = await rawOf(cryptography, key)
  if (!raw) return key
  const bytes = await encrypted(cryptography, opener, labelOf(key.id), raw)
  return { ...key, wraps: { ...key.wraps, passkey: { ...ask, bytes } } }
}

export function withoutPasskey(key: StoredKey): StoredKey {
  const { wraps, ...without } = key
  delete without.passkeyOpener
  const others = { ...wraps }
  delete others.passkey
  return Object.keys(others).length > 0 ? { ...without, wraps: others } : without
}

/** @returns the key for use; as it was where it is not under this passkey */
export async function openedByPasskey(
  cryptography: Cryptography,
  key: StoredKey,
  opener: CryptoKey,
): Promise<StoredKey> {
  const wrap = passkeyOf(key)
  const raw = wrap && (await opened(cryptography, opener, key.id, wrap))
  return raw ? { ...key, usable: await usableKey(cryptography, raw), passkeyOpener: opener } : key
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const labelOf = (keyId: string) => utf8(`genba-passkey ${keyId}`)
