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
 * Writes rows otherwise than they are, and reads them back, in their order. Either may take its time (WebCrypto does): no
 * transaction is open meanwhile. `decode` leaves out a row that it does not believe.
 */
export interface RowCodec {
  encode(rows: readonly Row[]): Promise<Row[]>
  decode(rows: readonly Row[]): Promise<Row[]>
  /** Told that rows are not read because a newer state of them was seen. */
  putBack?(): void
}

/** A store of rows: `database` is the user's (`genba-<hash>`), the same whatever the version of the store. */
export interface RowStore {
  database: string
  collection: string
  /** Of its schema. */
  version: number
  /** The field that is the key. */
  primary: string
  /** Fields that a codec must leave as they are: what IndexedDB or the conflict check looks at. */
  clear: ReadonlySet<string>
}

/** The codec of a store; null where its rows lie as they are. */
export type CodecFor = (store: RowStore) => RowCodec | null

/** RxDB's function wants a document with its meta fields, and takes any object. */
export const rowOf = (doc: object): Row => fromStorageToDexie(['_deleted'], doc as never) as Row

/** RxDB's own way back copies every level of it; what comes out of IndexedDB is a copy already. */
export const docOf = <R>(row: Row) => ({ ...row, _deleted: row._deleted === '1' }) as RxDocumentData<R>
