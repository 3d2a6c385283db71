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
import { SealError, type Cryptography, type SealedPlace } from '#data/encryption/seal.ts'
import { openedFile, freshPair, usablePrivateKey } from './received-seal.ts'
import type { ReceivedStore, Receiver, WaitingPhoto } from './received-store.ts'

interface ReceiverParts {
  store: ReceivedStore
  cryptography: Cryptography
  sealer: Sealer
  user: string
}

/** Place of a private key for the encryption. It includes the public key, so that the two cannot be separated. */
const placeOfPrivate = (user: string, publicKey: ArrayBuffer): SealedPlace => [
  user,
  'received',
  new Uint8Array(publicKey).join(),
]

async function privateKeyOf({ cryptography, sealer }: ReceiverParts, receiver: Receiver): Promise<CryptoKey> {
  const { user, publicKey, privateKey } = receiver
  return usablePrivateKey(cryptography, await sealer.openBytes(placeOfPrivate(user, publicKey), privateKey))
}

/** Returns the private key; null if the user has no key pair, or if the data key does not decrypt it. */
async function ownKey(parts: ReceiverParts, receivers: readonly Receiver[]): Promise<CryptoKey | null> {
  const own = receivers.find(({ user }) => user === parts.user)
  return own ? privateKeyOf(parts, own).catch(nullIfSealed) : null
}

const nullIfSealed = (error: unknown) => {
  if (error instanceof SealError) return null
  throw error
}

/** Makes sure that the signed-in user has a usable key pair. Called when the user's data is open. */
export async function ensureReceiver(parts: ReceiverParts, now: number): Promise<void> {
  const { store, cryptography, sealer, user } = parts
  const receivers = await store.receivers()
  const own = receivers.find((each) => each.user === user)
  if (own && (await ownKey(parts, receivers))) {
    if (own.leftAt === undefined) return
    const { leftAt: _left, ...signedIn } = own
    return store.setReceiver(signedIn)
  }
  // A new pair is made if the password was changed after a logout. Photos for the old pair stay unreadable and expire.
  const { publicKey, privateKey } = await freshPair(cryptography)
  const sealed = await sealer.sealBytes(placeOfPrivate(user, publicKey), privateKey)
  await store.setReceiver({ user, madeAt: now, publicKey, privateKey: sealed })
}

/** Time of the logout, epoch ms. A user who is signed in counts as the last to leave. */
const leftAtOf = ({ leftAt = Number.MAX_SAFE_INTEGER }: Receiver) => leftAt

/**
 * Returns the key pair of the user who gets a shared photo: the signed-in user, otherwise the user who was signed in
 * last. Null if no key pair is left.
 */
export function receiverNow(receivers: readonly Receiver[]): Receiver | null {
  const [first] = receivers.toSorted((a, b) => leftAtOf(b) - leftAtOf(a) || b.madeAt - a.madeAt)
  return first ?? null
}

/**
 * Returns a function that decrypts the user's waiting photos, and returns null for a photo that cannot be decrypted.
 */
export async function fileOpener(
  parts: ReceiverParts,
): Promise<(photo: WaitingPhoto) => Promise<File | null>> {
  const { store, cryptography } = parts
  const key = await ownKey(parts, await store.receivers())
  return async (photo) => {
    const bytes = key && (await store.bytes(photo.id))
    return key && bytes ? openedFile(cryptography, key, photo, bytes).catch(nullIfSealed) : null
  }
}
