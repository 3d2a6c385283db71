/**
 * A data key under a password: PBKDF2-SHA-256 makes of password and salt the key that encrypts the 32 bytes of the data key.
 * What is read back is bounded: a number of rounds from the disk must not hold up the device.
 */
import { decrypted, encrypted, type Cryptography } from './seal.ts'

/** OWASP's number for PBKDF2-HMAC-SHA256 (2023): 0.2 to 1 s on a phone, beside the page's thread. */
const ROUNDS = 600_000
const MOST_ROUNDS = 5_000_000
const SALT_BYTES = 16
const KEY_BYTES = 32

/** As it lies on disk. */
export interface Wrapped {
  salt: ArrayBuffer
  rounds: number
  bytes: ArrayBuffer
}

export type Salting = Pick<Wrapped, 'salt' | 'rounds'>

export const freshSalt = (cryptography: Cryptography, rounds = ROUNDS): Salting => ({
  salt: cryptography.getRandomValues(new Uint8Array(SALT_BYTES)).buffer,
  rounds,
})

/** @returns the key that opens what is wrapped; it cannot be read out @throws RangeError where nobody would wait for it */
export async function openerOf(
  { subtle }: Cryptography,
  password: string,
  { salt, rounds }: Salting,
): Promise<CryptoKey> {
  if (!(rounds >= 1 && rounds <= MOST_ROUNDS)) throw new RangeError('rounds of PBKDF2')
  // a keyboard may compose the same letters otherwise
  const bytes = new TextEncoder().encode(password.normalize('NFC'))
  const from = await subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }
  return subtle.deriveKey(algorithm, from, { name: 'AES-GCM', length: 8 * KEY_BYTES }, false, [
    'encrypt',
    'decrypt',
  ])
}

/** @param keyId whose key it is: one cannot be put in another's place */
export async function wrapped(
  cryptography: Cryptography,
  opener: CryptoKey,
  salting: Salting,
  key: { id: string; raw: BufferSource },
): Promise<Wrapped> {
  return { ...salting, bytes: await encrypted(cryptography, opener, labelOf(key.id), key.raw) }
}

/** @returns null where it is another password */
export async function unwrapped(
  cryptography: Cryptography,
  opener: CryptoKey,
  keyId: string,
  { bytes }: Wrapped,
): Promise<ArrayBuffer | null> {
  try {
    return await decrypted(cryptography, opener, labelOf(keyId), bytes)
  } catch {
    return null
  }
}

export const freshKey = (cryptography: Cryptography) =>
  cryptography.getRandomValues(new Uint8Array(KEY_BYTES))

/** For use only: nothing can read it out. */
export const usableKey = ({ subtle }: Cryptography, raw: BufferSource): Promise<CryptoKey> =>
  subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt'])

/** Of what is wrapped, whatever it is wrapped by. */
export const labelOf = (keyId: string) => new TextEncoder().encode(`genba-key ${keyId}`)
