/**
 * The form of a row in IndexedDB, and the hook through which a codec can change it.
 *
 *     document ─→ row (`_deleted` as text) ─→ codec, if there is one ─→ disk
 *     document ←─ row                      ←─ codec                  ←─ disk
 */
import type { RxDocumentData } from 'rxdb/plugins/core'
import { fromStorageToDexie } from 'rxdb/plugins/storage-dexie'

/** A stored row. `_deleted` is '1' or '0', because booleans cannot be indexed. */
export type Row = Record<string, unknown> & { _deleted: unknown }

/**
 * Encodes and decodes rows, in order. Both may be slow (WebCrypto), so no transaction is open meanwhile. `decode`
 * omits rows that it refuses.
 */
export interface RowCodec {
  encode(rows: readonly Row[]): Promise<Row[]>
  decode(rows: readonly Row[]): Promise<Row[]>
  /** Called when rows are skipped because this page has seen a newer version of these rows. */
  putBack?(): void
}

/** A store of rows. `database` is the user's (`genba-<hash>`), the same for all versions of the store. */
export interface RowStore {
  database: string
  collection: string
  version: number
  primary: string
  /** Fields that a codec must leave in plain text, because IndexedDB or the conflict check reads them. */
  clear: ReadonlySet<string>
}

/** Returns the codec of a store; null if the store's rows are not encoded. */
export type CodecFor = (store: RowStore) => RowCodec | null

/** Converts a document to a row. RxDB types the parameter with meta fields, but accepts any object. */
export const rowOf = (doc: object): Row => fromStorageToDexie(['_deleted'], doc as never) as Row

/**
 * Converts a row to a document. RxDB's own conversion copies every level, which is unnecessary, because
 * IndexedDB already returns a copy.
 */
export const docOf = <R>(row: Row) => ({ ...row, _deleted: row._deleted === '1' }) as RxDocumentData<R>
