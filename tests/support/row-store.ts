import type { CollectionStore } from '#data/database/collection-stores.ts'
import { clearFields } from '#data/storage/docs-table.ts'
import type { RowStore } from '#data/storage/docs-table.ts'

/** Describes a table to the row codec, from its indexes as they are. */
export function rowStoreOf(
  user: string,
  { collection, version }: Pick<CollectionStore, 'collection' | 'version'>,
  db: IDBDatabase,
): RowStore {
  const docs = db.transaction('docs').objectStore('docs')
  const indexes = [...docs.indexNames].map((name) => docs.index(name).keyPath)
  const primary = String(docs.keyPath)
  return {
    database: user,
    collection,
    version,
    primary,
    clear: clearFields({ primaryKey: primary, indexes }),
  }
}
