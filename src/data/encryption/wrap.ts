/**
 * Encrypts (wraps) a data key with a password, from which PBKDF2-SHA-256 derives the encrypting key. The number of
 * rounds on disk is limited, so that a damaged value cannot block the device.
 */
import { decryptedOrNull, encrypted, utf8 } from './seal.ts'

/** OWASP's recommendation for PBKDF2-HMAC-SHA256 (2023). A key takes 0.2 to 1 s on a phone, in another thread. */
const ROUNDS = 600_000
const MOST_ROUNDS = 5_000_000
const SALT_BYTES = 16
const KEY_BYTES = 32

export type Wrapped = { salt: ArrayBuffer; rounds: number; bytes: ArrayBuffer }

export type Salting = Pick<Wrapped, 'salt' | 'rounds'>

export const freshSalt = (rounds = ROUNDS): Salting => ({
  salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)).buffer,
  rounds,
})

/** Derives the non-extractable key that encrypts data keys. @throws RangeError if the rounds are out of range */
export async function openerOf(password: string, { salt, rounds }: Salting) {
  if (!(rounds >= 1 && rounds <= MOST_ROUNDS)) throw new RangeError('rounds of PBKDF2')
  // The password is normalised, because keyboards differ in how they compose the same letter.
  const bytes = utf8(password.normalize('NFC'))
  const material = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }
  const derived = { name: 'AES-GCM', length: 8 * KEY_BYTES }
  return crypto.subtle.deriveKey(algorithm, material, derived, false, ['encrypt', 'decrypt'])
}

/** Encrypts a data key. Its id is authenticated, so that encrypted keys cannot be swapped. */
export async function wrapped(opener: CryptoKey, salting: Salting, id: string, raw: BufferSource) {
  return { ...salting, bytes: await encrypted(opener, labelOf(id), raw) }
}

/** Decrypts a data key; null if the password is wrong. */
export const unwrapped = (opener: CryptoKey, keyId: string, { bytes }: Wrapped) =>
  decryptedOrNull(opener, labelOf(keyId), bytes)

export const freshKey = () => crypto.getRandomValues(new Uint8Array(KEY_BYTES))

export const usableKey = (raw: BufferSource): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])

export const labelOf = (keyId: string) => utf8(`genba-key ${keyId}`)

/** Returns a function that derives a password's key for a salt. The slow result is cached for each salt. */
export function openersOf(text: string) {
  const derived: { salting: Salting; key: Promise<CryptoKey> }[] = []
  return (salting: Salting) => {
    const known = derived.find(
      (each) => each.salting.rounds === salting.rounds && isSameBytes(each.salting.salt, salting.salt),
    )
    if (known) return known.key
    const key = openerOf(text, salting)
    derived.push({ salting, key })
    return key
  }
}

export const isSameBytes = (a: ArrayBuffer, b: ArrayBuffer): boolean => {
  const [first, second] = [new Uint8Array(a), new Uint8Array(b)]
  return first.length === second.length && first.every((byte, index) => byte === second[index])
}
