/**
 * What the sync asks of the storage beside RxDB's interface (the port is `sync/storage/device-rows.ts`): reading past the
 * query cache, and removing what was deleted with what a replication knows of it. It works on any RxStorage; what it knows
 * of RxDB's insides is how a replication keeps its rows.
 */
import { readStored, readStoredByKeys } from './read-stored.ts'
import { writeTogether } from './write-together.ts'
import { cleaningOf, type Known, type Replicating, type Store, type StoredDoc } from './replication-rows.ts'

export type DeviceRows = ReturnType<typeof createDeviceRows>

export const createDeviceRows = () => ({
  readOnce: readStored,
  readByKeys: readStoredByKeys,
  writeTogether,

  /**
   * @param collection an `RxCollection`, and the `RxReplicationState` that pushes it, if one does
   * @returns null while the replication has not opened its own store
   */
  cleaningOf(collection: object, replication: Replicating | undefined) {
    const isPushed = Boolean(replication?.push)
    const known = isPushed ? (replication?.metaInstance as Store<Known> | undefined) : undefined
    if (isPushed && !known) return null
    const { storageInstance } = collection as { storageInstance: Store<StoredDoc> }
    return cleaningOf(storageInstance, known)
  },
})
