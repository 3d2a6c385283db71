/**
 * The lock of a photo. All users of the lock call this function, so that all wait equally long for it (RULES TB1).
 */
import type { Lease, Locks } from '#sync/leadership/lease.ts'
import type { PhotoStore } from './photo-store.ts'

/** The lock's time limit, in multiples of the usual one: an upload alone may take two. */
const PATIENCE = 3

/** @param run receives the store bound to the lock's lease */
export const withPhotoLock = <T>(
  { locks, store }: { locks: Locks; store: PhotoStore },
  key: string,
  run: (store: PhotoStore, lease: Lease) => Promise<T>,
): Promise<T> =>
  locks.request(`genba-photo-${store.name}-${key}`, (lease) => run(store.within(lease), lease), PATIENCE)
