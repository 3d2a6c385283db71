/** Reads the rows of locked data (封印中), which stay encrypted: stores of a user's key that is not the present one. */
import { collectionStores } from '#data/database/collection-stores.ts'
import { BYTES, CHANGES, isOwnSentences, isPhotoChain } from '#data/database/what-stays.ts'
import { storedLayout } from '#data/migration/stored-layout.ts'
import { photoBytesName } from '#data/photos/photo-bytes.ts'
import { DOCS } from '#data/storage/store-layout.ts'
import { DELETED, type Row } from '#data/storage/docs-table.ts'
import { resultOf, withDatabase } from '#data/storage/idb.ts'
import { movedCollections } from '#schemas/collections/collections.ts'

export interface LockedRow {
  collection: string
  /** Schema version of the collection; 0 for bytes. */
  version: number
  key: string
  row: Row
  /** Metadata of photo bytes. */
  info?: Row
}

/** Returns the rows that the CRM may lack, without photo bytes. @param stores see `storesName` */
export async function lockedRows(indexedDB: IDBFactory, stores: string): Promise<LockedRow[]> {
  const { versions } = await storedLayout(indexedDB, stores)
  const found: LockedRow[] = []
  for (const { name, collection, version } of await collectionStores(indexedDB, stores)) {
    const isRead = movedCollections.some((each) => each === collection)
    if (!isRead || versions.get(collection) !== version) continue
    await withDatabase(indexedDB, name, async (db) => {
      const docs = db.transaction(DOCS).objectStore(DOCS)
      const rows: Row[] = await resultOf(docs.getAll())
      for (const row of rows.filter((each) => each._deleted !== DELETED && !isOwnSentences(each)))
        found.push({ collection, version, key: String(row[String(docs.keyPath)]), row })
    })
  }
  return found
}

/** Yields the rows of these stores, and the photo bytes one photo at a time, because all would fill the memory. */
export async function* allLocked(indexedDB: IDBFactory, stores: readonly string[]) {
  for (const name of stores) {
    yield* await lockedRows(indexedDB, name)
    yield* lockedBytes(indexedDB, name)
  }
}

async function* lockedBytes(indexedDB: IDBFactory, stores: string): AsyncGenerator<LockedRow> {
  const name = photoBytesName(stores)
  const read = <T>(table: string, ask: (store: IDBObjectStore) => IDBRequest<T>) =>
    withDatabase(indexedDB, name, (db) => resultOf(ask(db.transaction(table).objectStore(table))))
  const keys = await read(BYTES, (table) => table.getAllKeys() as IDBRequest<string[]>)
  for (const key of keys ?? []) {
    const row = await read<Row | undefined>(BYTES, (table) => table.get(key))
    const info = await read<Row | undefined>('info', (table) => table.get(key))
    if (row) yield { collection: BYTES, version: 0, key, row, ...(info && { info }) }
  }
}

/** True for rows that the user sees as one item each: saved changes, photos and drafts. */
export const isCounted = ({ collection, row }: LockedRow): boolean =>
  collection === CHANGES
    ? row['state'] !== 'accepted' && row['state'] !== 'discarded'
    : row['unsent'] === 'yes' || ('saving' in row && !isPhotoChain(row))
