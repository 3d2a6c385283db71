/**
 * Sealing: AES-GCM-256 over WebCrypto, with a random IV of 96 bits each time and with the place where it lies as additional
 * data, so that nothing sealed can be put in another's place unnoticed. In: a key, a place, bytes. Out: what lies on disk.
 */

/** What of `crypto` is used. */
export type Cryptography = Pick<Crypto, 'getRandomValues' | 'subtle'>

export interface DataKey {
  id: string
  key: CryptoKey
}

/** As it lies on disk. */
export interface Sealed {
  /** Id of the key. */
  key: string
  /** IV (12 bytes), what is sealed, tag (16 bytes). */
  bytes: ArrayBuffer
}

/** Where it lies: the user's database, the collection or table, the row's key. */
export type SealedPlace = readonly [database: string, store: string, key: string]

/**
 * `no-key`: it is of a key that is not to be had; `spoiled`: it is not what was sealed here with this key; `clear`: it is not
 * sealed, though its user has a key; `older`: this page has seen a newer state of it.
 */
export class SealError extends Error {
  override name = 'SealError'
  readonly kind: 'no-key' | 'spoiled' | 'clear' | 'older'

  /** Says the store and no row: it goes to the error log (EX7). */
  constructor(kind: SealError['kind'], store: string, options?: ErrorOptions) {
    super(`sealed ${store}: ${kind}`, options)
    this.kind = kind
  }
}

const IV_BYTES = 12

const encoder = new TextEncoder()
const dataOf = (place: SealedPlace) => encoder.encode(JSON.stringify(place))

/** @returns the bytes with a fresh IV before them */
export async function encrypted(
  cryptography: Cryptography,
  key: CryptoKey,
  additionalData: BufferSource,
  bytes: BufferSource,
): Promise<ArrayBuffer> {
  const iv = cryptography.getRandomValues(new Uint8Array(IV_BYTES))
  const data = await cryptography.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
  const whole = new Uint8Array(IV_BYTES + data.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(data), IV_BYTES)
  return whole.buffer
}

/** @throws where the key, the place or a bit is another */
export async function decrypted(
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

export async function seal(
  cryptography: Cryptography,
  { id, key }: DataKey,
  place: SealedPlace,
  bytes: BufferSource,
): Promise<Sealed> {
  return { key: id, bytes: await encrypted(cryptography, key, dataOf(place), bytes) }
}

/** @param key null where it is not to be had @throws SealError */
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

/** @returns whether it lies sealed there */
export const isSealed = (stored: unknown): stored is Sealed =>
  typeof stored === 'object' &&
  stored !== null &&
  typeof Reflect.get(stored, 'key') === 'string' &&
  Reflect.get(stored, 'bytes') instanceof ArrayBuffer
