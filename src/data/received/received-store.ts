/**
 * Photos shared from the phone's gallery, until a form takes them (decisions/photos): encrypted for one user, in an
 * IndexedDB database of their own, which the service worker writes and the page reads. Its rows:
 *
 *     user/<user>   the user's key pair (`received-keys.ts`)
 *     about/<id>    owner, time and size of a photo in plain text, its name encrypted
 *     bytes/<id>    bytes of the photo, encrypted
 *
 * Both rows of a photo are written and removed in one transaction. A write is on disk when it resolves. Shared photos,
 * and key pairs of signed-out users, are removed after a day (decisions/session).
 */
import { del, delMany, get, promisifyRequest, set, setMany } from 'idb-keyval'
import { strictStore } from '#lib/browser/strict-store.ts'
import type { Sealed } from '#data/encryption/seal.ts'

/** Key pair of a user. The service worker needs only the public key. */
export interface Receiver {
  user: string
  /** Epoch ms. */
  madeAt: number
  /** A point of P-256, uncompressed. */
  publicKey: ArrayBuffer
  /** PKCS 8, encrypted. */
  privateKey: Sealed
  /** Time at which the user was first found signed out, epoch ms; missing while the user is signed in. */
  leftAt?: number
}

export interface WaitingPhoto {
  /** Id of the photo, which is also its key in a form's draft. */
  id: string
  user: string
  /** Time at which the photo was shared, epoch ms of the device's clock. */
  at: number
  size: number
  /** The photo's own public key (`received-keys.ts`). */
  from: ArrayBuffer
  /** Name, type and time of the file, encrypted. */
  about: ArrayBuffer
}

export type ReceivedStore = ReturnType<typeof openReceivedStore>
const NAME = 'genba-received'

export function openReceivedStore() {
  const store = strictStore(NAME, 'photos')
  const all = (prefix: string): Promise<unknown[]> =>
    // The range of keys ends with `0`, the character after `/`.
    store('readonly', (table) =>
      promisifyRequest(table.getAll(IDBKeyRange.bound(`${prefix}/`, `${prefix}0`))),
    )
  return {
    receivers: async (): Promise<Receiver[]> => (await all('user')).filter(isReceiver),
    setReceiver: (receiver: Receiver): Promise<void> => set(`user/${receiver.user}`, receiver, store),
    removeReceiver: (user: string): Promise<void> => del(`user/${user}`, store),
    /** Returns all waiting photos without their bytes, oldest first. */
    waiting: async (): Promise<WaitingPhoto[]> =>
      (await all('about')).filter(isWaiting).toSorted((a, b) => a.at - b.at),
    bytes: async (id: string): Promise<ArrayBuffer | undefined> => get<ArrayBuffer>(`bytes/${id}`, store),
    add: (photo: WaitingPhoto, bytes: ArrayBuffer): Promise<void> =>
      setMany(
        [
          [`about/${photo.id}`, photo],
          [`bytes/${photo.id}`, bytes],
        ],
        store,
      ),
    remove: (ids: readonly string[]): Promise<void> =>
      delMany(
        ids.flatMap((id) => [`about/${id}`, `bytes/${id}`]),
        store,
      ),
  }
}

type Fields<T> = Partial<Record<keyof T, unknown>>

function isReceiver(stored: unknown): stored is Receiver {
  const { user, madeAt, publicKey } = Object(stored) as Fields<Receiver>
  return typeof user === 'string' && typeof madeAt === 'number' && publicKey instanceof ArrayBuffer
}

function isWaiting(stored: unknown): stored is WaitingPhoto {
  const { id, user, at, size, from, about } = Object(stored) as Fields<WaitingPhoto>
  return (
    [id, user].every((text) => typeof text === 'string') &&
    [at, size].every((n) => typeof n === 'number') &&
    from instanceof ArrayBuffer &&
    about instanceof ArrayBuffer
  )
}

/**
 * True if this signed-out user can still receive shared photos, or has photos that wait for a form. The user's data
 * key must then stay, because it decrypts the private key. The first call stores `now` as the time of the logout.
 * @param until epoch ms; key pairs of users who signed out earlier are removed if no photo waits
 */
export async function stillReceives(
  store: ReceivedStore,
  user: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const own = (await store.receivers()).find((each) => each.user === user)
  if (!own) return false
  const { leftAt = now } = own
  if (own.leftAt === undefined) await store.setReceiver({ ...own, leftAt })
  if (leftAt >= until || (await store.waiting()).some((photo) => photo.user === user)) return true
  await store.removeReceiver(user)
  return false
}

/** Removes photos that were shared before `until`, epoch ms. */
export async function expireReceived(store: ReceivedStore, until: number): Promise<void> {
  const old = (await store.waiting()).filter(({ at }) => at < until)
  if (old.length > 0) await store.remove(old.map(({ id }) => id))
}

/** Removes the key pairs and photos of these users, because the device is used with another CRM. */
export async function forgetReceived(store: ReceivedStore, isForgotten: (user: string) => boolean) {
  const photos = (await store.waiting()).filter(({ user }) => isForgotten(user))
  await store.remove(photos.map(({ id }) => id))
  for (const { user } of await store.receivers()) if (isForgotten(user)) await store.removeReceiver(user)
}
