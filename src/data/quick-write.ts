/**
 * The writes of RxDB's Dexie storage, with the fewest turns through IndexedDB: the same conflict check and the same
 * events, but one transaction over the documents alone, which is committed with the last put and not left to end by
 * itself. Dexie's own layers around each request cost more than the request.
 */
import { categorizeBulkWriteRows, type CategorizeBulkWriteRowsOutput } from 'rxdb/plugins/core'
import {
  fromDexieToStorage,
  fromStorageToDexie,
  type RxStorageInstanceDexie,
} from 'rxdb/plugins/storage-dexie'
import { beginOnDocs } from './dexie-docs.ts'

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
    const begun = rows.length > 0 ? beginOnDocs(dexieDb, 'readwrite', { durability }) : null
    if (!begun) return byDexie(rows, context)
    const keys = rows.map(({ document }) => document[primaryPath] as string)
    const written = await write(begun, keys, (known) => {
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
  { transaction, docs: store }: { transaction: IDBTransaction; docs: IDBObjectStore },
  keys: readonly string[],
  decide: (known: never[]) => Decision<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
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
