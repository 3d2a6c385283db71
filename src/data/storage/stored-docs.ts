/** Reads and writes documents of a collection directly on the storage. */
import {
  getDefaultRevision,
  getDefaultRxDocumentMeta,
  normalizeMangoQuery,
  prepareQuery,
  type BulkWriteRow,
  type MangoQuery,
  type RxCollection,
  type RxDocumentData,
  createRevision,
  type RxStorageInstance,
  type WithDeleted,
} from 'rxdb/plugins/core'

/**
 * Runs an RxDB query directly on the storage and returns plain records. The result includes writes of other tabs that
 * RxDB's query cache does not know yet. The order is undefined unless the query sorts.
 */
export async function readStored<D extends object>(
  { schema: { jsonSchema }, storageInstance }: Pick<RxCollection<D>, 'schema' | 'storageInstance'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  const selector = { ...query.selector, _deleted: { $eq: false } }
  const normalized = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
  // The cast is needed because RxDB's type of a query includes meta fields.
  const { documents } = await storageInstance.query(prepareQuery(jsonSchema, normalized as never))
  return documents.map(plainOf)
}

/** Reads records by key. RxDB's own method would read again after concurrent writes. */
export async function readStoredByKeys<D extends object>(
  { storageInstance }: Pick<RxCollection<D>, 'storageInstance'>,
  keys: readonly string[],
): Promise<D[]> {
  return (await storageInstance.findDocumentsById([...keys], false)).map(plainOf)
}

// The fields of a stored document, without those that RxDB adds, are the record. RxDB's types do not say so.
const plainOf = <D>({ _deleted, _meta, _rev, _attachments, ...record }: RxDocumentData<D>): D =>
  record as unknown as D

/**
 * Returns the new record for the current record. The argument is null if there is none; the result null deletes the
 * record.
 */
export type Write<R> = (record: R | null) => R | null | Promise<R | null>

/**
 * Writes several documents of one collection in one storage write: all or none. Documents that another writer has
 * changed meanwhile are computed and written again.
 * @param changes functions by document key
 */
export async function writeTogether<R>(
  collection: RxCollection<R>,
  changes: ReadonlyMap<string, Write<R>>,
): Promise<void> {
  const docs = await collection.findByIds([...changes.keys()]).exec()
  const known = new Map([...docs].map(([key, doc]) => [key, doc.toMutableJSON(true) as RxDocumentData<R>]))
  for (let pending = [...changes]; pending.length > 0;) {
    const made = await Promise.all(
      pending.map(async ([key, change]) => rowOf(known.get(key), await change(liveOf(known.get(key))))),
    )
    const rows = made.filter((row) => row !== null)
    if (rows.length === 0) return
    const { error: errors } = await collection.storageInstance.bulkWrite(rows, 'write-together')
    for (const error of errors) {
      if (error.status !== 409) throw new Error(`${collection.name}: ${error.status}`)
      known.set(error.documentId, error.documentInDb)
    }
    const conflicts = errors.map(({ documentId }) => documentId)
    pending = pending.filter(([key]) => conflicts.includes(key))
  }
}

const liveOf = <R>(stored: RxDocumentData<R> | undefined): R | null =>
  stored === undefined || stored._deleted ? null : plainOf(stored)

/** Returns the storage write for a document; null if there is neither an old nor a new record. */
function rowOf<R>(previous: RxDocumentData<R> | undefined, record: R | null): BulkWriteRow<R> | null {
  if (record === null && (!previous || previous._deleted)) return null
  const document =
    record === null ? { ...previous, _deleted: true } : { ...metaOf(previous), ...record, _deleted: false }
  return { ...(previous && { previous }), document } as BulkWriteRow<R>
}

const metaOf = <R>(previous: RxDocumentData<R> | undefined) => ({
  _meta: previous?._meta ?? getDefaultRxDocumentMeta(),
  _rev: previous?._rev ?? getDefaultRevision(),
  _attachments: previous?._attachments ?? {},
})

export type DeviceRows = typeof deviceRows

/**
 * Operations for `sync/` that RxDB's interface lacks (`sync/storage/database.ts`). They work on any RxStorage, but depend on
 * how RxDB stores replication metadata.
 */
export const deviceRows = {
  readOnce: readStored,
  readByKeys: readStoredByKeys,
  writeTogether,
  removeDeleted,
}

type StoredDoc = Record<string, unknown>
type Store<D> = RxStorageInstance<D, unknown, unknown>

/** A row of the replication metadata: the metadata of one document, or a checkpoint. */
type Known = { id: string; itemId: string; isCheckpoint: string; docData?: WithDeleted<unknown> }

/**
 * Removes documents of a collection that were deleted long ago, and then the replication metadata of documents that no longer
 * exist. Does nothing if the collection is pushed, but its replication has not opened the store of the metadata yet.
 * @param collection an `RxCollection`
 * @param replication the `RxReplicationState` that pushes the collection, if there is one
 * @param age `now`: epoch ms of the clock that stamps RxDB's writes. `deletedForMs`: minimum time since the deletion
 */
async function removeDeleted(
  collection: object,
  replication: { metaInstance?: unknown; push?: unknown } | undefined,
  { now, deletedForMs }: { now: number; deletedForMs: number },
): Promise<void> {
  const known = replication?.push ? (replication.metaInstance as Store<Known> | undefined) : null
  if (known === undefined) return
  const { storageInstance: store } = collection as { storageInstance: Store<StoredDoc> }
  await store.cleanup(deletedForMs)
  if (!known) return
  const query = normalizeMangoQuery(known.schema, { selector: { isCheckpoint: { $eq: '0' } } })
  const { documents } = await known.query(prepareQuery(known.schema, query))
  const old = documents.filter(({ _meta }) => _meta.lwt < now - deletedForMs)
  const keys = old.map(({ itemId }) => itemId)
  const docs = await store.findDocumentsById(keys, true)
  const existing = new Set(docs.map((doc) => doc[store.schema.primaryKey as string]))
  const writes = old
    .filter(({ itemId }) => !existing.has(itemId))
    .map((previous) => ({
      previous,
      document: { ...previous, _deleted: true, _rev: createRevision('cleanup', previous) },
    }))
  if (writes.length > 0) await known.bulkWrite(writes, 'cleanup')
  await known.cleanup(deletedForMs)
}
