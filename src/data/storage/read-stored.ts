import { normalizeMangoQuery, prepareQuery, type MangoQuery, type RxCollection } from 'rxdb/plugins/core'

/**
 * What RxDB's query of the same words would find, as plain data, in no certain order but its `sort`: past the query cache,
 * which may not have heard yet what another tab has written.
 */
export async function readStored<D extends object>(
  { schema: { jsonSchema }, storageInstance }: Pick<RxCollection<D>, 'schema' | 'storageInstance'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  const selector = { ...query.selector, _deleted: { $eq: false } }
  const filled = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
  // RxDB says the same query and document with its meta fields: they are taken off below
  const { documents } = await storageInstance.query(prepareQuery(jsonSchema, filled as never))
  return documents.map(({ _deleted, _meta, _rev, _attachments, ...data }) => data as unknown as D)
}
