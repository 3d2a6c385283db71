/**
 * Documents of one collection that are written together: one write of the storage, so that a full device has all of them or
 * none. Like RxDB's own write of one document it is made again where somebody else was quicker.
 */
import {
  type BulkWriteRow,
  getDefaultRevision,
  getDefaultRxDocumentMeta,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core'

/** What becomes of a record; null: there is none, or none any more. */
export type Write<R> = (record: R | null) => R | null | Promise<R | null>

/** @param changes by the keys of the documents */
export async function writeTogether<R>(
  collection: RxCollection<R>,
  changes: ReadonlyMap<string, Write<R>>,
): Promise<void> {
  const found = await collection.findByIds([...changes.keys()]).exec()
  const known = new Map([...found].map(([key, doc]) => [key, doc.toMutableJSON(true) as RxDocumentData<R>]))
  for (let left = [...changes]; left.length > 0;) {
    const made = await Promise.all(
      left.map(async ([key, change]) => rowOf(known.get(key), await change(liveOf(known.get(key))))),
    )
    const rows = made.filter((row) => row !== null)
    if (rows.length === 0) return
    const { error: errors } = await collection.storageInstance.bulkWrite(rows, 'write-together')
    const others = new Set<string>()
    for (const error of errors) {
      if (error.status !== 409) throw new Error(`${collection.name}: ${error.status}`)
      known.set(error.documentId, error.documentInDb)
      others.add(error.documentId)
    }
    left = left.filter(([key]) => others.has(key))
  }
}

const liveOf = <R>(stored: RxDocumentData<R> | undefined): R | null =>
  stored === undefined || stored._deleted ? null : recordOf(stored)

/** @returns null where there is nothing to write: there is none, and there was none */
function rowOf<R>(previous: RxDocumentData<R> | undefined, record: R | null): BulkWriteRow<R> | null {
  const isThere = previous !== undefined && !previous._deleted
  if (record === null && !isThere) return null
  const document =
    record === null ? { ...previous, _deleted: true } : { ...metaOf(previous), ...record, _deleted: false }
  return { ...(previous && { previous }), document } as BulkWriteRow<R>
}

/** Without what the storage has beside it. */
function recordOf<R>({ _meta, _rev, _attachments, _deleted, ...record }: RxDocumentData<R>): R {
  return record as R
}

const metaOf = <R>(previous: RxDocumentData<R> | undefined) => ({
  _meta: previous?._meta ?? getDefaultRxDocumentMeta(),
  _rev: previous?._rev ?? getDefaultRevision(),
  _attachments: previous?._attachments ?? {},
})
