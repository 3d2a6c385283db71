/**
 * One-time reads of thousands of documents. RxDB's own queries cache their results as documents with their
 * history of states: 50 MB for ten thousand requests.
 */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'
import type { KindView } from './database.ts'
import { deviceRows } from './device-rows.ts'

/**
 * Runs a query without RxDB's query cache and returns plain data, if the storage supports it; else runs
 * RxDB's query. The order is undefined unless the query sorts.
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

/**
 * The documents with these keys that exist. RxDB's own query would read all of them again after concurrent
 * writes.
 */
export async function readByKeys<D extends object>(
  collection: RxCollection<D>,
  keys: readonly string[],
): Promise<D[]> {
  const rows = deviceRows(collection.database)
  if (rows) return rows.readByKeys(collection, keys)
  const docs = await collection.findByIds([...keys]).exec()
  return [...docs.values()].map((doc) => doc.toJSON() as D)
}
