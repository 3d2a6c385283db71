/**
 * Encrypts a shared photo for a user whose data key may be locked. Each photo has its own key pair. ECDH (P-256) with
 * the user's public key, and HKDF-SHA-256, give the AES-GCM key of the photo, which only the user's private key can
 * derive again.
 */
import {
  decryptedOrNull,
  derivedKey,
  encrypted,
  SealError,
  utf8,
  type Cryptography,
} from '#data/encryption/seal.ts'
import type { WaitingPhoto } from './received-store.ts'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }
const SECRET_BITS = 256

interface About {
  name: string
  type: string
  /** Epoch ms. */
  lastModified: number
}

/** Makes a key pair: the public key as a raw point, the private key as PKCS 8. */
export async function freshPair({ subtle }: Cryptography) {
  const { publicKey, privateKey } = await subtle.generateKey(CURVE, true, ['deriveBits'])
  return {
    publicKey: await subtle.exportKey('raw', publicKey),
    privateKey: await subtle.exportKey('pkcs8', privateKey),
  }
}

/** Imports a non-extractable private key. */
export const usablePrivateKey = ({ subtle }: Cryptography, pkcs8: ArrayBuffer): Promise<CryptoKey> =>
  subtle.importKey('pkcs8', pkcs8, CURVE, false, ['deriveBits'])

/**
 * Encrypts a file for a user's public key.
 * @param id id of the photo; it is authenticated, so that photos cannot be swapped
 */
export async function sealedFor(
  cryptography: Cryptography,
  publicKey: ArrayBuffer,
  id: string,
  file: File,
): Promise<Pick<WaitingPhoto, 'from' | 'about'> & { bytes: ArrayBuffer }> {
  const { subtle } = cryptography
  const own = await subtle.generateKey(CURVE, false, ['deriveBits'])
  const from = await subtle.exportKey('raw', own.publicKey)
  const key = await sharedKey(cryptography, own.privateKey, publicKey, from)
  const { name, type, lastModified } = file
  const about = JSON.stringify({ name, type, lastModified } satisfies About)
  return {
    from,
    about: await encrypted(cryptography, key, placeOf('about', id), new TextEncoder().encode(about)),
    bytes: await encrypted(cryptography, key, placeOf('bytes', id), await file.arrayBuffer()),
  }
}

/**
 * Decrypts the file of a waiting photo.
 * @throws SealError if the photo was encrypted for another key, or was changed
 */
export async function openedFile(
  cryptography: Cryptography,
  privateKey: CryptoKey,
  { id, from, about }: WaitingPhoto,
  bytes: ArrayBuffer,
): Promise<File> {
  const key = await sharedKey(cryptography, privateKey, from, from)
  const plainAbout = await decryptedOrNull(cryptography, key, placeOf('about', id), about)
  const plainBytes = await decryptedOrNull(cryptography, key, placeOf('bytes', id), bytes)
  if (!plainAbout || !plainBytes) throw new SealError('spoiled', 'received')
  const { name, type, lastModified } = JSON.parse(new TextDecoder().decode(plainAbout)) as About
  return new File([plainBytes], name, { type, lastModified })
}

/** Derives the AES-GCM key from a private key and the other public key. */
async function sharedKey(
  cryptography: Cryptography,
  privateKey: CryptoKey,
  publicKey: ArrayBuffer,
  salt: ArrayBuffer,
): Promise<CryptoKey> {
  const { subtle } = cryptography
  const otherKey = await subtle.importKey('raw', publicKey, CURVE, false, [])
  const secret = await subtle.deriveBits({ name: CURVE.name, public: otherKey }, privateKey, SECRET_BITS)
  return derivedKey(cryptography, secret, salt, 'genba-received')
}

const placeOf = (part: 'about' | 'bytes', id: string) => utf8(JSON.stringify(['received', part, id]))
