/** The store of a collection past the app, as somebody has it who writes into the browser's files. */
import { done } from '#data/migration/idb.ts'
import { rawStores } from '#data/locked/lock-rows.ts'

export async function inStore<T>(
  user: string,
  collection: string,
  run: (db: IDBDatabase) => Promise<T>,
): Promise<T> {
  const store = (await rawStores(indexedDB, user)).find((each) => each.collection === collection)
  const db = await done(indexedDB.open(store?.name ?? ''))
  try {
    return await run(db)
  } finally {
    db.close()
  }
}
