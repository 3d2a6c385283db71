/**
 * The form of a row in IndexedDB, and the interface of a codec that can change the row, for example encrypt it.
 *
 *     document ─→ row (`_deleted` as text) ─→ codec, if there is one ─→ disk
 *     document ←─ row                      ←─ codec                  ←─ disk
 */
import type { RxDocumentData } from 'rxdb/plugins/core'
import { fromStorageToDexie } from 'rxdb/plugins/storage-dexie'

/** A stored row. `_deleted` is '1' or '0', because IndexedDB cannot index booleans. */
export type Row = Record<string, unknown> & { _deleted: unknown }

/**
 * Encodes and decodes rows, in order. Both are asynchronous (WebCrypto), so that no transaction can be open meanwhile.
 * `decode` leaves out rows that it refuses.
 */
export interface RowCodec {
  encode(rows: readonly Row[]): Promise<Row[]>
  decode(rows: readonly Row[]): Promise<Row[]>
  /** Called when rows are left out, because this page has seen newer versions of them on disk. */
  putBack?(): void
}

/** Describes a store of rows. `database` is `genba-<hash>` for all versions of the store. */
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

/** Converts a document to a row. The cast is needed because RxDB's parameter type includes meta fields. */
export const rowOf = (doc: object): Row => fromStorageToDexie(['_deleted'], doc as never) as Row

/** Converts a row to a document. RxDB's own conversion is slower, because it copies every level of the row. */
export const docOf = <R>(row: Row) => ({ ...row, _deleted: row._deleted === '1' }) as RxDocumentData<R>
