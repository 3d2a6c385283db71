/**
 * What the sync asks of the storage beside RxDB's interface (the port is `sync/storage/device-rows.ts`): reading past the
 * query cache, and removing what was deleted with what a replication knows of it. It works on any RxStorage; what it knows
 * of RxDB's insides is how a replication keeps its rows.
 */
import { normalizeMangoQuery, prepareQuery, type MangoQuery, type RxCollection } from 'rxdb/plugins/core'
import { cleaningOf, type Known, type Replicating, type Store, type StoredDoc } from './replication-rows.ts'

export type DeviceRows = ReturnType<typeof createDeviceRows>

export const createDeviceRows = () => ({
  /** What RxDB's query of the same words would find, as plain data; in no certain order but its `sort`. */
  async readOnce<D extends object>(
    { schema: { jsonSchema }, storageInstance }: RxCollection<D>,
    query: MangoQuery<D>,
  ): Promise<D[]> {
    const selector = { ...query.selector, _deleted: { $eq: false } }
    const filled = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
    // RxDB says the same query and document with its meta fields: they are taken off below
    const { documents } = await storageInstance.query(prepareQuery(jsonSchema, filled as never))
    return documents.map(({ _deleted, _meta, _rev, _attachments, ...data }) => data as unknown as D)
  },

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
