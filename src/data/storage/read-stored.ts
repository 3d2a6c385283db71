import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core'

/**
 * Runs an RxDB query directly on the storage and returns plain data. Unlike RxDB's query cache, this includes
 * writes from other tabs that no event has announced yet. The order is undefined unless the query sorts.
 */
export async function readStored<D extends object>(
  { schema: { jsonSchema }, storageInstance }: Pick<RxCollection<D>, 'schema' | 'storageInstance'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  const selector = { ...query.selector, _deleted: { $eq: false } }
  const normalized = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
  // RxDB types the query with its meta fields, which `plainOf` removes from the result.
  const { documents } = await storageInstance.query(prepareQuery(jsonSchema, normalized as never))
  return documents.map(plainOf)
}

/** Reads documents by key as plain data. RxDB's own method would read again after concurrent writes. */
export async function readStoredByKeys<D extends object>(
  { storageInstance }: Pick<RxCollection<D>, 'storageInstance'>,
  keys: readonly string[],
): Promise<D[]> {
  return (await storageInstance.findDocumentsById([...keys], false)).map(plainOf)
}

/** The record without the storage's own fields. */
// RxDB's type of a stored document does not say that the remaining fields are the record.
export const plainOf = <D>({ _deleted, _meta, _rev, _attachments, ...record }: RxDocumentData<D>): D =>
  record as unknown as D
