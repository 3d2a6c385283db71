/**
 * The writes of RxDB's Dexie storage, with the fewest turns through IndexedDB: the same conflict check and the same
 * events, but one transaction over the documents alone, which reads and puts in one turn and is committed, not left to end
 * by itself. Dexie's own layers around each request cost more than the request.
 */
import { categorizeBulkWriteRows, type CategorizeBulkWriteRowsOutput } from 'rxdb/plugins/core'
import {
  fromDexieToStorage,
  fromStorageToDexie,
  type RxStorageInstanceDexie,
} from 'rxdb/plugins/storage-dexie'
import { noteDurable } from '#lib/user-timing.ts'
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
    const wanted = rows.map(({ document }) => ({
      key: document[primaryPath] as string,
      doc: fromStorageToDexie(booleanIndexes, document) as object,
    }))
    const written = await write(begun, wanted, (known) => {
      const docs = known.map((doc) => fromDexieToStorage<R>(booleanIndexes, doc))
      const byKey = new Map(docs.map((doc) => [doc[primaryPath] as string, doc]))
      const result = categorizeBulkWriteRows<R>(instance, primaryPath as never, byKey, rows as never, context)
      return { result, refused: result.errors.map(({ documentId }) => documentId) }
    })
    noteDurable()
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

interface Wanted {
  key: string
  doc: object
}

/**
 * Writes what is wanted and reads what was there before, in one turn: what is refused for it is put back as it was. All
 * in one transaction, so that nobody sees it.
 * @param decide by what was there; the keys it refuses were all there
 */
function write<T>(
  { transaction, docs: store }: { transaction: IDBTransaction; docs: IDBObjectStore },
  wanted: readonly Wanted[],
  decide: (known: never[]) => { result: T; refused: readonly string[] },
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const known = new Map<string, unknown>()
    let left = wanted.length
    let result: T
    let failed: unknown
    const orAbort = (run: () => void) => {
      try {
        run()
      } catch (error) {
        failed = error
        transaction.abort()
      }
    }
    const found = (key: string, doc: unknown) => {
      if (doc !== undefined) known.set(key, doc)
      left -= 1
      if (left > 0) return
      orAbort(() => {
        const decided = decide([...known.values()] as never[])
        ;({ result } = decided)
        for (const refused of decided.refused) store.put(known.get(refused))
        transaction.commit()
      })
    }
    orAbort(() => {
      for (const { key } of wanted) {
        const read = store.get(key)
        read.addEventListener('success', () => found(key, read.result))
      }
      for (const { doc } of wanted) store.put(doc)
    })
    transaction.addEventListener('complete', () => resolve(result))
    transaction.addEventListener('abort', () =>
      reject(
        (failed ?? transaction.error ?? new DOMException('The connection was lost', 'AbortError')) as Error,
      ),
    )
  })
}
