/** A photo's lock. One function for all who take it, so that each waits for as long as another may hold it (RULES TB1). */
import type { Lease, Locks } from '#sync/leadership/lease.ts'
import type { PhotoStore } from './photo-store.ts'

/** An upload alone may take twice the usual limit of a hold. */
const PATIENCE = 3

/** @param run is given the store within the hold */
export const withPhotoLock = <T>(
  { locks, store }: { locks: Locks; store: PhotoStore },
  key: string,
  run: (store: PhotoStore, hold: Lease) => Promise<T>,
): Promise<T> =>
  locks.request(`genba-photo-${store.name}-${key}`, (hold) => run(store.within(hold), hold), PATIENCE)
