/**
 * The writes of RxDB's Dexie storage, with the fewest turns through IndexedDB: the same conflict check and the same
 * events, but one transaction over the documents alone, which is committed with the last put and not left to end by
 * itself. Dexie's own layers around each request cost more than the request.
 */
import type { Dexie } from 'dexie'
import { categorizeBulkWriteRows, type CategorizeBulkWriteRowsOutput } from 'rxdb/plugins/core'
import {
  fromDexieToStorage,
  fromStorageToDexie,
  type RxStorageInstanceDexie,
} from 'rxdb/plugins/storage-dexie'

/** Must be the one that Dexie's tables have (rxdb's dexie-helper). */
const DOCS = 'docs'

/** Lets `instance` write this way. Documents with attachments are left to Dexie; the app has none. */
export function writeQuickly<R>(
  instance: RxStorageInstanceDexie<R>,
  durability: IDBTransactionDurability,
): void {
  if (instance.schema.attachments) return
  const { primaryPath } = instance
  const byDexie = instance.bulkWrite.bind(instance)
  instance.bulkWrite = async (rows, context) => {
    const { dexieDb, booleanIndexes } = await instance.internals
    const transaction = begin(dexieDb, durability)
    if (!transaction || rows.length === 0) return byDexie(rows, context)
    const keys = rows.map(({ document }) => document[primaryPath] as string)
    const written = await write(transaction, keys, (known) => {
      const docs = known.map((doc) => fromDexieToStorage<R>(booleanIndexes, doc))
      const byKey = new Map(docs.map((doc) => [doc[primaryPath] as string, doc]))
      const result = categorizeBulkWriteRows<R>(instance, primaryPath as never, byKey, rows as never, context)
      const changed = [...result.bulkInsertDocs, ...result.bulkUpdateDocs]
      return { result, docs: changed.map(({ document }) => fromStorageToDexie(booleanIndexes, document)) }
    })
    tell(instance, written)
    return { error: written.errors }
  }
}

/** Null where the connection was lost (an iPhone closes it in the background): Dexie opens it anew. */
function begin(dexieDb: Dexie, durability: IDBTransactionDurability): IDBTransaction | null {
  try {
    return dexieDb.backendDB().transaction(DOCS, 'readwrite', { durability })
  } catch {
    return null
  }
}

function tell<R>(
  instance: RxStorageInstanceDexie<R>,
  { eventBulk, newestRow }: CategorizeBulkWriteRowsOutput<R>,
): void {
  if (eventBulk.events.length === 0 || !newestRow) return
  const { document } = newestRow
  eventBulk.checkpoint = { id: document[instance.primaryPath] as string, lwt: document._meta.lwt }
  const { changes$ } = instance as unknown as { changes$: { next(bulk: typeof eventBulk): void } }
  changes$.next(eventBulk)
}

interface Decision<T> {
  result: T
  docs: unknown[]
}

/** Reads the documents that are there, and writes what is decided on them: in one transaction. */
function write<T>(
  transaction: IDBTransaction,
  keys: readonly string[],
  decide: (known: never[]) => Decision<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const store = transaction.objectStore(DOCS)
    const known: never[] = []
    let left = keys.length
    let decided: Decision<T> | undefined
    let failed: unknown
    const found = (doc: unknown) => {
      if (doc !== undefined) known.push(doc as never)
      left -= 1
      if (left > 0) return
      try {
        decided = decide(known)
        for (const each of decided.docs) store.put(each)
        transaction.commit()
      } catch (error) {
        failed = error
        transaction.abort()
      }
    }
    for (const key of keys) {
      const read = store.get(key)
      read.addEventListener('success', () => found(read.result))
    }
    transaction.addEventListener('complete', () => resolve((decided as Decision<T>).result))
    transaction.addEventListener('abort', () =>
      reject(
        (failed ?? transaction.error ?? new DOMException('The connection was lost', 'AbortError')) as Error,
      ),
    )
  })
}
