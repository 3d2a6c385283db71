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

/** What becomes of a record; null: there is none. */
export type Change<R> = (record: R | null) => R | Promise<R>

/** @param changes by the keys of the documents */
export async function writeTogether<R>(
  collection: RxCollection<R>,
  changes: ReadonlyMap<string, Change<R>>,
): Promise<void> {
  const found = await collection.findByIds([...changes.keys()]).exec()
  const known = new Map([...found].map(([key, doc]) => [key, doc.toMutableJSON(true) as RxDocumentData<R>]))
  for (let left = [...changes]; left.length > 0;) {
    const rows = await Promise.all(
      left.map(async ([key, change]) => {
        const previous = known.get(key)
        const record = previous === undefined || previous._deleted ? null : recordOf(previous)
        const document = { ...metaOf(previous), ...(await change(record)), _deleted: false }
        return { ...(previous && { previous }), document } as BulkWriteRow<R>
      }),
    )
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

/** Without what the storage has beside it. */
function recordOf<R>({ _meta, _rev, _attachments, _deleted, ...record }: RxDocumentData<R>): R {
  return record as R
}

const metaOf = <R>(previous: RxDocumentData<R> | undefined) => ({
  _meta: previous?._meta ?? getDefaultRxDocumentMeta(),
  _rev: previous?._rev ?? getDefaultRevision(),
  _attachments: previous?._attachments ?? {},
})
