/**
 * Writes several documents of one collection in one storage write: all or none, also on a full device.
 * Repeats the documents that another writer changed first, as RxDB does for a single document.
 */
import {
  type BulkWriteRow,
  getDefaultRevision,
  getDefaultRxDocumentMeta,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core'
import { plainOf } from './read-stored.ts'

/** Computes the new record from the current record. A null argument means no current record; a null result deletes it. */
export type Write<R> = (record: R | null) => R | null | Promise<R | null>

/**
 * Applies all writes.
 * @param changes by document key
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

/** The storage write for a document; null if there is neither an old nor a new record. */
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
