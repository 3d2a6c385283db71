/** The store of a collection past the app, as somebody has it who writes into the browser's files. */
import { resultOf } from '#data/storage/idb.ts'
import { collectionStores } from '#data/database/collection-stores.ts'

export async function inStore<T>(
  database: string,
  collection: string,
  run: (db: IDBDatabase) => Promise<T>,
): Promise<T> {
  const store = (await collectionStores(indexedDB, database)).find((each) => each.collection === collection)
  const db = await resultOf(indexedDB.open(store?.name ?? ''))
  try {
    return await run(db)
  } finally {
    db.close()
  }
}
