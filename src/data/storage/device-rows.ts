/**
 * What `sync/` needs from the storage beyond RxDB's interface (the port is `sync/storage/device-rows.ts`):
 * reads without the query cache, and removal of deleted rows together with a replication's metadata. Works on
 * any RxStorage; it only depends on how RxDB stores replication metadata.
 */
import { readStored, readStoredByKeys } from './read-stored.ts'
import { writeTogether } from './write-together.ts'
import { cleaningOf, type Known, type Replicating, type Store, type StoredDoc } from './replication-rows.ts'

export type DeviceRows = ReturnType<typeof createDeviceRows>

/** Creates the implementation of the port. */
export const createDeviceRows = () => ({
  readOnce: readStored,
  readByKeys: readStoredByKeys,
  writeTogether,

  /**
   * Returns functions that delete old rows of a collection; null until the replication has opened its own store.
   * @param collection an `RxCollection`
   * @param replication the `RxReplicationState` that pushes it, if there is one
   */
  cleaningOf(collection: object, replication: Replicating | undefined) {
    const isPushed = Boolean(replication?.push)
    const known = isPushed ? (replication?.metaInstance as Store<Known> | undefined) : undefined
    if (isPushed && !known) return null
    const { storageInstance } = collection as { storageInstance: Store<StoredDoc> }
    return cleaningOf(storageInstance, known)
  },
})
