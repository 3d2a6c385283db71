/**
 * A row as it lies in IndexedDB, and the place where it may be written otherwise than the document it is.
 *
 *     document ─→ row (`_deleted` as text) ─→ codec, if there is one ─→ disk
 *     document ←─ row                      ←─ codec                  ←─ disk
 */
import type { RxDocumentData } from 'rxdb/plugins/core'
import { fromStorageToDexie } from 'rxdb/plugins/storage-dexie'

/** `_deleted` is '1' or '0': booleans cannot be indexed. */
export type Row = Record<string, unknown> & { _deleted: unknown }

/**
 * Writes rows otherwise than they are, and reads them back: one row for each, in their order. Either may take its time
 * (WebCrypto does): no transaction is open meanwhile.
 */
export interface RowCodec {
  encode(rows: readonly Row[]): Promise<Row[]>
  decode(rows: readonly Row[]): Promise<Row[]>
}

/**
 * The codec of a store; null where its rows lie as they are.
 * @param store its name, and the fields that a codec must leave as they are: what IndexedDB or the conflict check looks at
 */
export type CodecFor = (store: { collection: string; clear: ReadonlySet<string> }) => RowCodec | null

/** What the storage itself looks at, beside the key and the indexes. */
const OWN_FIELDS = ['_deleted', '_rev', '_meta', '_attachments']

export const clearFields = (primary: string, indexes: readonly (string | readonly string[])[]) =>
  new Set([primary, ...indexes.flat().map((path) => path.split('.', 1)[0] ?? path), ...OWN_FIELDS])

/** RxDB's function wants a document with its meta fields, and takes any object. */
export const rowOf = (doc: object): Row => fromStorageToDexie(['_deleted'], doc as never) as Row

/** RxDB's own way back copies every level of it; what comes out of IndexedDB is a copy already. */
export const docOf = <R>(row: Row) => ({ ...row, _deleted: row._deleted === '1' }) as RxDocumentData<R>
