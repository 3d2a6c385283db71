/**
 * Reading thousands of documents once. RxDB's own queries keep what they found, as documents with their history of
 * states, for as long as the query is cached; for a look through ten thousand requests that was 50 MB.
 */
import { normalizeMangoQuery, prepareQuery, type MangoQuery, type RxCollection } from 'rxdb/plugins/core'

/** What RxDB's query of the same words would find, as plain data. */
export async function readOnce<D extends object>(
  { schema: { jsonSchema }, storageInstance }: RxCollection<D>,
  query: MangoQuery<D>,
): Promise<D[]> {
  const selector = { ...query.selector, _deleted: { $eq: false } }
  const filled = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
  const { documents } = await storageInstance.query(prepareQuery(jsonSchema, filled as never))
  return documents.map(({ _deleted, _meta, _rev, _attachments, ...data }) => data as unknown as D)
}
