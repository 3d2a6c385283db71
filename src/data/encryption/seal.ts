/** Encryption with AES-GCM-256 (WebCrypto). Each call uses a random 96-bit IV. */

export type DataKey = { id: string; key: CryptoKey }

export interface Sealed {
  key: string
  /** IV (12 bytes), ciphertext, tag (16 bytes). */
  bytes: ArrayBuffer
}

/** Place of the data on disk. It is authenticated, so that data cannot be moved to another place. */
export type SealedPlace = readonly [database: string, store: string, key: string]

/**
 * Encrypted data is unusable. `no-key`: its key is not available. `spoiled`: it was changed, moved or encrypted with
 * another key. `clear`: it is not encrypted although its user has a key. `older`: this page has seen a newer version
 * of it.
 */
export class SealError extends Error {
  override name = 'SealError'
  readonly kind: 'no-key' | 'spoiled' | 'clear' | 'older'

  /** The message names the store but no row, because it goes to the error log (EX7). */
  constructor(kind: SealError['kind'], store: string, options?: ErrorOptions) {
    super(`sealed ${store}: ${kind}`, options)
    this.kind = kind
  }
}

const IV_BYTES = 12
const encoder = new TextEncoder()
export const utf8 = (text: string) => encoder.encode(text)
const dataOf = (place: SealedPlace) => encoder.encode(JSON.stringify(place))

export async function encrypted(key: CryptoKey, additionalData: BufferSource, bytes: BufferSource) {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
  const sealedBytes = new Uint8Array(IV_BYTES + data.byteLength)
  sealedBytes.set(iv)
  sealedBytes.set(new Uint8Array(data), IV_BYTES)
  return sealedBytes.buffer
}

/** Decrypts the result of `encrypted`. @throws if the key, the additional data or any bit differs */
async function decrypted(key: CryptoKey, additionalData: BufferSource, bytes: ArrayBuffer) {
  const iv = bytes.slice(0, IV_BYTES)
  return crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, new Uint8Array(bytes, IV_BYTES))
}

export const decryptedOrNull = (...args: Parameters<typeof decrypted>): Promise<ArrayBuffer | null> =>
  decrypted(...args).catch(() => null)

/** Derives a non-extractable AES-GCM key from a secret with HKDF-SHA-256. `purpose` keeps the keys of purposes apart. */
export async function derivedKey(secret: BufferSource, salt: ArrayBuffer, purpose: string) {
  const material = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8(purpose) }
  const derived = { name: 'AES-GCM', length: 256 }
  return crypto.subtle.deriveKey(algorithm, material, derived, false, ['encrypt', 'decrypt'])
}

export async function seal({ id, key }: DataKey, place: SealedPlace, bytes: BufferSource): Promise<Sealed> {
  return { key: id, bytes: await encrypted(key, dataOf(place), bytes) }
}

/** Decrypts the bytes stored at a place. @throws SealError, also if the key that the data names is null */
export async function unseal(key: CryptoKey | null, place: SealedPlace, sealed: Sealed) {
  if (!key) throw new SealError('no-key', place[1])
  try {
    return await decrypted(key, dataOf(place), sealed.bytes)
  } catch (error) {
    throw new SealError('spoiled', place[1], { cause: error })
  }
}

export const isSealed = (stored: unknown): stored is Sealed =>
  typeof stored === 'object' &&
  stored !== null &&
  typeof Reflect.get(stored, 'key') === 'string' &&
  Reflect.get(stored, 'bytes') instanceof ArrayBuffer
