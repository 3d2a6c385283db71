/**
 * Operations for `sync/` that RxDB's interface lacks (`sync/storage/database.ts`): reads without the query cache,
 * and the removal of deleted rows with their replication metadata. They work on any RxStorage, but depend on how RxDB
 * stores replication metadata.
 */
import { readStored, readStoredByKeys, writeTogether } from './stored-docs.ts'
import {
  createRevision,
  normalizeMangoQuery,
  prepareQuery,
  type RxDocumentData,
  type RxStorageInstance,
  type WithDeleted,
} from 'rxdb/plugins/core'

export type DeviceRows = typeof deviceRows

export const deviceRows = {
  readOnce: readStored,
  readByKeys: readStoredByKeys,
  writeTogether,

  /**
   * Returns functions that remove old rows of a collection. Null if the collection is pushed, but its replication has
   * not opened the store of the replication metadata yet.
   * @param collection an `RxCollection`
   * @param replication the `RxReplicationState` that pushes the collection, if there is one
   */
  cleaningOf(collection: object, replication: Replicating | undefined) {
    const isPushed = Boolean(replication?.push)
    const known = isPushed ? (replication?.metaInstance as Store<Known> | undefined) : undefined
    if (isPushed && !known) return null
    const { storageInstance } = collection as { storageInstance: Store<StoredDoc> }
    return cleaningOf(storageInstance, known)
  },
}

type StoredDoc = Record<string, unknown>
type Store<D> = RxStorageInstance<D, unknown, unknown>

/** A row of the replication metadata: the metadata of one document, or a checkpoint. */
type Known = { id: string; itemId: string; isCheckpoint: string; docData?: WithDeleted<unknown> }

type Replicating = { metaInstance?: unknown; push?: unknown }

/** `now`: epoch ms of the clock that stamps RxDB's writes. `deletedForMs`: minimum time since the deletion. */
type Age = { now: number; deletedForMs: number }

/**
 * Removes deleted documents of a collection and their replication metadata.
 * @param known store of the replication metadata, if the collection is pushed
 */
function cleaningOf(store: Store<StoredDoc>, known: Store<Known> | undefined) {
  const primary = store.schema.primaryKey as string
  const keyOf = (doc: StoredDoc) => String(doc[primary])
  return {
    /**
     * Removes documents that were deleted long ago.
     * @returns `removed`: keys of the removed documents; `early`: keys of those that the replication had not processed
     */
    async removeDeleted({ now, deletedForMs }: Age): Promise<{ removed: string[]; early: string[] }> {
      const deleted = await queried(store, { _deleted: { $eq: true } })
      const old = deleted.filter(({ _meta }) => _meta.lwt < now - deletedForMs)
      const removed = old.map(keyOf)
      if (old.length === 0) return { removed, early: [] }
      const metaRows = known ? await knownOf(known, removed) : []
      const pushedStates = new Map(metaRows.map((row) => [row.itemId, row.docData?._deleted]))
      // A document that came from the CRM needs no push. RxDB marks it with `_meta.o`.
      const isProcessed = (doc: RxDocumentData<StoredDoc>) =>
        !known || (pushedStates.get(keyOf(doc)) ?? Reflect.get(doc._meta, 'o') !== undefined)
      const unprocessed = old.filter((doc) => !isProcessed(doc))
      await store.cleanup(deletedForMs)
      return { removed, early: unprocessed.map(keyOf) }
    },

    /**
     * Removes the replication metadata of documents that no longer exist.
     * @param keys keys of removed documents; null to check all metadata
     */
    async forget({ now, deletedForMs }: Age, keys: readonly string[] | null): Promise<void> {
      if (!known) return
      const rows = keys ? await knownOf(known, keys) : await queried(known, { isCheckpoint: { $eq: '0' } })
      const old = rows.filter(({ _meta }) => _meta.lwt < now - deletedForMs)
      const keysOfOld = old.map(({ itemId }) => itemId)
      const existing = new Set((await store.findDocumentsById(keysOfOld, true)).map(keyOf))
      const removed = old.filter(({ itemId }) => !existing.has(itemId))
      const writes = removed.map((previous) => ({
        previous,
        document: { ...previous, _deleted: true, _rev: createRevision('cleanup', previous) },
      }))
      if (writes.length > 0) await known.bulkWrite(writes, 'cleanup')
      await known.cleanup(deletedForMs)
    },
  }
}

const knownOf = (known: Store<Known>, keys: readonly string[]) =>
  known.findDocumentsById(
    keys.map((key) => `${key}|0`),
    false,
  )

async function queried<D>(store: Store<D>, selector: object): Promise<RxDocumentData<D>[]> {
  const query = normalizeMangoQuery(store.schema, { selector })
  const { documents } = await store.query(prepareQuery(store.schema, query))
  return documents
}
