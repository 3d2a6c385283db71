import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core'

/**
 * Runs an RxDB query directly on the storage and returns plain records. The result includes writes of other tabs that
 * RxDB's query cache does not know yet. The order is undefined unless the query sorts.
 */
export async function readStored<D extends object>(
  { schema: { jsonSchema }, storageInstance }: Pick<RxCollection<D>, 'schema' | 'storageInstance'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  const selector = { ...query.selector, _deleted: { $eq: false } }
  const normalized = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
  // The cast is needed because RxDB's type of a query includes meta fields.
  const { documents } = await storageInstance.query(prepareQuery(jsonSchema, normalized as never))
  return documents.map(plainOf)
}

/** Reads records by key. RxDB's own method would read again after concurrent writes. */
export async function readStoredByKeys<D extends object>(
  { storageInstance }: Pick<RxCollection<D>, 'storageInstance'>,
  keys: readonly string[],
): Promise<D[]> {
  return (await storageInstance.findDocumentsById([...keys], false)).map(plainOf)
}

// The fields of a stored document, without those that RxDB adds, are the record. RxDB's types do not say so.
export const plainOf = <D>({ _deleted, _meta, _rev, _attachments, ...record }: RxDocumentData<D>): D =>
  record as unknown as D
