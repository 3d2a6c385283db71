/**
 * Encryption with AES-GCM-256 over WebCrypto. Each call uses a random 96-bit IV. The place of the data is the
 * additional data, so that encrypted data cannot be moved to another place unnoticed.
 */

/** The members of `crypto` that this folder uses. */
export type Cryptography = Pick<Crypto, 'getRandomValues' | 'subtle'>

/** A key that encrypts a user's data. */
export interface DataKey {
  id: string
  key: CryptoKey
}

/** Encrypted data as stored on disk. */
export interface Sealed {
  /** Id of the data key. */
  key: string
  /** IV (12 bytes), ciphertext, tag (16 bytes). */
  bytes: ArrayBuffer
}

/** The place of the data: the user's database, the collection or table, the row's key. */
export type SealedPlace = readonly [database: string, store: string, key: string]

/**
 * Why encrypted data is unusable. `no-key`: the key of the data is not available. `spoiled`: the data was not encrypted
 * with this key at this place. `clear`: the data is not encrypted although its user has a key. `older`: this page has seen
 * a newer version of the data.
 */
export class SealError extends Error {
  override name = 'SealError'
  readonly kind: 'no-key' | 'spoiled' | 'clear' | 'older'

  /** The message names the store, but no row, because it goes to the error log (EX7). */
  constructor(kind: SealError['kind'], store: string, options?: ErrorOptions) {
    super(`sealed ${store}: ${kind}`, options)
    this.kind = kind
  }
}

const IV_BYTES = 12

const encoder = new TextEncoder()
export const utf8 = (text: string) => encoder.encode(text)
const dataOf = (place: SealedPlace) => encoder.encode(JSON.stringify(place))

/**
 * Encrypts bytes.
 * @returns a fresh IV followed by the ciphertext
 */
export async function encrypted(
  cryptography: Cryptography,
  key: CryptoKey,
  additionalData: BufferSource,
  bytes: BufferSource,
): Promise<ArrayBuffer> {
  const iv = cryptography.getRandomValues(new Uint8Array(IV_BYTES))
  const data = await cryptography.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
  const sealedBytes = new Uint8Array(IV_BYTES + data.byteLength)
  sealedBytes.set(iv)
  sealedBytes.set(new Uint8Array(data), IV_BYTES)
  return sealedBytes.buffer
}

/**
 * Decrypts what `encrypted` returned.
 * @throws if the key, the additional data or any bit differs
 */
async function decrypted(
  { subtle }: Cryptography,
  key: CryptoKey,
  additionalData: BufferSource,
  bytes: ArrayBuffer,
): Promise<ArrayBuffer> {
  const iv = bytes.slice(0, IV_BYTES)
  return subtle.decrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    new Uint8Array(bytes).subarray(IV_BYTES),
  )
}

/** Like `decrypted`, but null instead of an error. */
export const decryptedOrNull = (...args: Parameters<typeof decrypted>): Promise<ArrayBuffer | null> =>
  decrypted(...args).catch(() => null)

/**
 * Derives an AES-GCM key from a secret with HKDF-SHA-256. The key is not extractable.
 * @param purpose part of the derivation: the same secret gives another key for another purpose
 */
export async function derivedKey(
  { subtle }: Cryptography,
  secret: BufferSource,
  salt: ArrayBuffer,
  purpose: string,
): Promise<CryptoKey> {
  const material = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: utf8(purpose) }
  const derived = { name: 'AES-GCM', length: 256 }
  return subtle.deriveKey(algorithm, material, derived, false, ['encrypt', 'decrypt'])
}

export async function seal(
  cryptography: Cryptography,
  { id, key }: DataKey,
  place: SealedPlace,
  bytes: BufferSource,
): Promise<Sealed> {
  return { key: id, bytes: await encrypted(cryptography, key, dataOf(place), bytes) }
}

/**
 * Decrypts the bytes of a place.
 * @param key the key that the data names; null if the key is not available
 * @throws SealError
 */
export async function unseal(
  cryptography: Cryptography,
  key: CryptoKey | null,
  place: SealedPlace,
  sealed: Sealed,
): Promise<ArrayBuffer> {
  if (!key) throw new SealError('no-key', place[1])
  try {
    return await decrypted(cryptography, key, dataOf(place), sealed.bytes)
  } catch (error) {
    throw new SealError('spoiled', place[1], { cause: error })
  }
}

export const isSealed = (stored: unknown): stored is Sealed =>
  typeof stored === 'object' &&
  stored !== null &&
  typeof Reflect.get(stored, 'key') === 'string' &&
  Reflect.get(stored, 'bytes') instanceof ArrayBuffer
