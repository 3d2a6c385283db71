/**
 * Reading thousands of documents once. RxDB's own queries keep what they found, as documents with their history of
 * states, for as long as the query is cached; for a look through ten thousand requests that was 50 MB.
 */
import type { MangoQuery, RxCollection } from 'rxdb/plugins/core'
import type { KindView } from './database.ts'
import { deviceRows } from './device-rows.ts'

/**
 * What RxDB's query of the same words would find, as plain data, in no certain order but its `sort`; by that query where
 * the storage has no other way.
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

/** Of many keys those that are there: RxDB's own query reads them all once more where something was written meanwhile. */
export async function readByKeys<D extends object>(
  collection: RxCollection<D>,
  keys: readonly string[],
): Promise<D[]> {
  const rows = deviceRows(collection.database)
  if (rows) return rows.readByKeys(collection, keys)
  const docs = await collection.findByIds([...keys]).exec()
  return [...docs.values()].map((doc) => doc.toJSON() as D)
}
