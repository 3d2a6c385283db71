import {
  normalizeMangoQuery,
  prepareQuery,
  type MangoQuery,
  type RxCollection,
  type RxDocumentData,
} from 'rxdb/plugins/core'

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
  return documents.map(plainOf)
}

/** Those of these keys that are there, as plain data: RxDB's own reads them once more where something was written meanwhile. */
export async function readStoredByKeys<D extends object>(
  { storageInstance }: Pick<RxCollection<D>, 'storageInstance'>,
  keys: readonly string[],
): Promise<D[]> {
  const documents = await storageInstance.findDocumentsById([...keys], false)
  return documents.map(plainOf)
}

// RxDB's type of a document with its meta fields does not say that the rest of it is the record
const plainOf = <D>({ _deleted, _meta, _rev, _attachments, ...data }: RxDocumentData<D>): D =>
  data as unknown as D
