/**
 * A user's key pair for photos that are shared while the app is locked or closed. The photos are encrypted with the
 * public key. The private key is encrypted with the user's data key, so that it needs the password or passkey
 * (decisions/encryption).
 *
 *     data opened ─→ pair ─→ signed out ─→ a day ─→ removed, with the user's data key if nothing else needs it
 *                     ↑          │
 *                     └──────────┘ signed in again
 */
import type { Sealer } from '#data/encryption/key-ring.ts'
import {
  SealError,
  type SealedPlace,
  decryptedOrNull,
  derivedKey,
  encrypted,
  utf8,
} from '#data/encryption/seal.ts'
import type { ReceivedStore, Receiver, WaitingPhoto } from './received-store.ts'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' }
const SECRET_BITS = 256

/** Encrypts a file for a user's public key. The photo's id is authenticated, so that photos cannot be swapped. */
export async function sealedFor(publicKey: ArrayBuffer, id: string, file: File) {
  const { subtle } = crypto
  const own = await subtle.generateKey(CURVE, false, ['deriveBits'])
  const from = await subtle.exportKey('raw', own.publicKey)
  const key = await sharedKey(own.privateKey, publicKey, from)
  const { name, type, lastModified } = file
  const about = utf8(JSON.stringify({ name, type, lastModified }))
  return {
    from,
    about: await encrypted(key, placeOf('about', id), about),
    bytes: await encrypted(key, placeOf('bytes', id), await file.arrayBuffer()),
  }
}

/** Decrypts the file of a waiting photo. @throws SealError if it is for another key, or was changed */
async function openedFile(privateKey: CryptoKey, { id, from, about }: WaitingPhoto, bytes: ArrayBuffer) {
  const key = await sharedKey(privateKey, from, from)
  const plainAbout = await decryptedOrNull(key, placeOf('about', id), about)
  const plainBytes = await decryptedOrNull(key, placeOf('bytes', id), bytes)
  if (!plainAbout || !plainBytes) throw new SealError('spoiled', 'received')
  const { name, ...bag } = JSON.parse(new TextDecoder().decode(plainAbout)) as FilePropertyBag & {
    name: string
  }
  return new File([plainBytes], name, bag)
}

/** Derives the AES-GCM key from a private key and the other public key. */
async function sharedKey(privateKey: CryptoKey, publicKey: ArrayBuffer, salt: ArrayBuffer) {
  const { subtle } = crypto
  const otherKey = await subtle.importKey('raw', publicKey, CURVE, false, [])
  const secret = await subtle.deriveBits({ name: CURVE.name, public: otherKey }, privateKey, SECRET_BITS)
  return derivedKey(secret, salt, 'genba-received')
}

const placeOf = (part: 'about' | 'bytes', id: string) => utf8(JSON.stringify(['received', part, id]))

type ReceiverParts = { store: ReceivedStore; sealer: Sealer; user: string }

/** Place of a private key for the encryption. It includes the public key, so that the two cannot be separated. */
const placeOfPrivate = (user: string, publicKey: ArrayBuffer): SealedPlace => [
  user,
  'received',
  new Uint8Array(publicKey).join(),
]

/** Returns a non-extractable private key; null without a key pair, or if the data key does not decrypt it. */
async function privateKeyOf({ sealer }: ReceiverParts, receiver: Receiver | undefined) {
  if (!receiver) return null
  const { user, publicKey, privateKey } = receiver
  const pkcs8 = await sealer.openBytes(placeOfPrivate(user, publicKey), privateKey).catch(nullIfSealed)
  return pkcs8 && crypto.subtle.importKey('pkcs8', pkcs8, CURVE, false, ['deriveBits'])
}

const ownOf = async ({ store, user }: ReceiverParts) =>
  (await store.receivers()).find((each) => each.user === user)

const nullIfSealed = (error: unknown) => {
  if (error instanceof SealError) return null
  throw error
}

/** Makes sure that the signed-in user has a usable key pair. Called when the user's data is open. */
export async function ensureReceiver(parts: ReceiverParts, now: number): Promise<void> {
  const { store, sealer, user } = parts
  const own = await ownOf(parts)
  if (own && (await privateKeyOf(parts, own))) {
    if (own.leftAt === undefined) return
    const { leftAt: _left, ...signedIn } = own
    return store.setReceiver(signedIn)
  }
  // A new pair is made if the password was changed after a logout. Photos for the old pair stay unreadable and expire.
  const { subtle } = crypto
  const pair = await subtle.generateKey(CURVE, true, ['deriveBits'])
  const publicKey = await subtle.exportKey('raw', pair.publicKey)
  const pkcs8 = await subtle.exportKey('pkcs8', pair.privateKey)
  const privateKey = await sealer.sealBytes(placeOfPrivate(user, publicKey), pkcs8)
  await store.setReceiver({ user, madeAt: now, publicKey, privateKey })
}

/** Returns the key pair of the user who gets a shared photo: who is signed in, else who was last; null for none. */
export function receiverNow(receivers: readonly Receiver[]): Receiver | null {
  const leftAtOf = ({ leftAt = Number.MAX_SAFE_INTEGER }: Receiver) => leftAt
  return receivers.toSorted((a, b) => leftAtOf(b) - leftAtOf(a) || b.madeAt - a.madeAt)[0] ?? null
}

/** Returns a function that decrypts the user's waiting photos; null for a photo that cannot be decrypted. */
export async function fileOpener(parts: ReceiverParts) {
  const key = await privateKeyOf(parts, await ownOf(parts))
  return async (photo: WaitingPhoto) => {
    const bytes = key && (await parts.store.bytes(photo.id))
    return key && bytes ? openedFile(key, photo, bytes).catch(nullIfSealed) : null
  }
}
