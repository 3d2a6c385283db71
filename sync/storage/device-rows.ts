/** What the sync needs beyond RxDB's interface. Only the app's own storage (`src/data/storage`) has it. */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'
import type { KindView } from './database.ts'

export interface DeviceRows {
  readOnce<D extends object>(collection: RxCollection<D>, query: MangoQuery<D>): Promise<D[]>
  readByKeys<D extends object>(collection: RxCollection<D>, keys: readonly string[]): Promise<D[]>
  /**
   * Writes several documents of one collection in one write. Each function gets the current document, null if
   * there is none, and returns the new one, null for none.
   */
  writeTogether<D>(
    collection: RxCollection<D>,
    changes: ReadonlyMap<string, (document: D | null) => D | null | Promise<D | null>>,
  ): Promise<void>
  /**
   * Returns functions that remove old rows of an `RxCollection`; null until the replication's metadata store is open.
   * @param replication the `RxReplicationState` that pushes the collection, if there is one
   */
  cleaningOf(collection: object, replication: object | undefined): Cleaning | null
}

/** `now`: epoch ms of the clock that stamps RxDB's writes. */
type Age = { now: number; deletedForMs: number }

/** The two steps of removing old rows of a collection (`expiry.ts`). */
interface Cleaning {
  /**
   * Removes old deleted documents.
   * @returns keys of the removed documents; `early`: the keys of those whose deletion the replication has not processed
   */
  removeDeleted(age: Age): Promise<{ removed: string[]; early: string[] }>
  /**
   * Removes the replication's metadata of documents that no longer exist.
   * @param keys of removed documents; null checks all metadata
   */
  forget(age: Age, keys: readonly string[] | null): Promise<void>
}

/** The device rows of an `RxDatabase`; undefined if the database's storage does not offer them. */
export const deviceRows = (database: { storage?: object } | undefined): DeviceRows | undefined =>
  (database?.storage as { rows?: DeviceRows } | undefined)?.rows

/**
 * Runs a query and returns plain data. The order is undefined unless the query sorts. The app's storage does without
 * RxDB's query cache, which would take 50 MB for ten thousand requests.
 */
export async function readOnce<D extends object>(
  collection: RxCollection<D> | Pick<KindView<D>, 'whole' | 'storedQuery'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  if ('storedQuery' in collection) return readOnce(collection.whole, collection.storedQuery(query))
  const rows = deviceRows(collection.database)
  if (rows) return rows.readOnce(collection, query)
  const docs = await collection.find(query).exec()
  return docs.map((doc) => doc.toJSON() as D)
}

/** Reads the documents with these keys, if they exist. RxDB's own query would read all again after concurrent writes. */
export async function readByKeys<D extends object>(
  collection: RxCollection<D>,
  keys: readonly string[],
): Promise<D[]> {
  const rows = deviceRows(collection.database)
  if (rows) return rows.readByKeys(collection, keys)
  const docs = await collection.findByIds([...keys]).exec()
  return [...docs.values()].map((doc) => doc.toJSON() as D)
}
