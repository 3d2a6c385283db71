/** The table in which RxDB's Dexie storage keeps its documents, gone to past Dexie's own layers. */
import type { Dexie } from 'dexie'

/** RxDB's name for it. */
const DOCS = 'docs'

/**
 * A transaction over the documents alone; null where the connection was lost (an iPhone closes it in the background):
 * Dexie opens it anew.
 */
export function beginOnDocs(
  dexieDb: Dexie,
  mode: IDBTransactionMode,
  options?: IDBTransactionOptions,
): { transaction: IDBTransaction; docs: IDBObjectStore } | null {
  try {
    const transaction = dexieDb.backendDB().transaction(DOCS, mode, options)
    return { transaction, docs: transaction.objectStore(DOCS) }
  } catch {
    return null
  }
}
