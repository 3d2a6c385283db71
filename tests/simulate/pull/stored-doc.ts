/** A document as RxDB's storages keep it. */
export interface StoredDoc {
  _deleted: boolean
  _meta: { lwt: number }
  [field: string]: unknown
}
