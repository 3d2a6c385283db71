/**
 * One store of the device: RxDB's interface, most of it by `dexie`, RxDB's own instance, which opens and closes the store;
 * reading, writing and cleaning past it. All writes come this way, so its events are all there are.
 */
import { Subject } from 'rxjs'
import type {
  EventBulk,
  RxDocumentData,
  RxStorageChangeEvent,
  RxStorageDefaultCheckpoint,
  RxStorageInstance,
} from 'rxdb/plugins/core'
import type { RxStorageInstanceDexie } from 'rxdb/plugins/storage-dexie'
import { cleanRows } from './clean-rows.ts'
import { answers, DeviceInternals } from './docs-table.ts'
import { docsByKey, queriedDocs } from './query-rows.ts'
import type { RowCodec } from './row-codec.ts'
import { writeRows } from './write-rows.ts'

export type DeviceInstance<R> = RxStorageInstance<R, DeviceInternals, object, RxStorageDefaultCheckpoint>

interface Parts<R> {
  dexie: RxStorageInstanceDexie<R>
  codec: RowCodec | null
  /** Whether a write is flushed to disk before it is done. */
  durability: IDBTransactionDurability
}

export function deviceInstance<R>({ dexie, codec, durability }: Parts<R>): DeviceInstance<R> {
  const { databaseName, collectionName, schema, primaryPath, options } = dexie
  const internals = new DeviceInternals(primaryPath, codec, dexie.internals)
  const events$ = new Subject<
    EventBulk<RxStorageChangeEvent<RxDocumentData<R>>, RxStorageDefaultCheckpoint>
  >()
  let closed: Promise<void> | undefined
  const opened = () => {
    if (closed) throw new Error(`closed: ${databaseName} ${collectionName}`)
  }
  const close = (end: () => Promise<void>) => {
    events$.complete()
    return (closed = end())
  }
  const instance: DeviceInstance<R> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals,
    async bulkWrite(rows, context) {
      opened()
      if (rows.length === 0) return { error: [] }
      const { errors, eventBulk } = await writeRows({ instance, rows, context, durability })
      if (eventBulk.events.length > 0) events$.next(eventBulk)
      return { error: errors }
    },
    async findDocumentsById(ids, withDeleted) {
      opened()
      const docs = await docsByKey<R>(internals, ids)
      return withDeleted ? docs : docs.filter(({ _deleted }) => !_deleted)
    },
    async query(prepared) {
      opened()
      return { documents: await queriedDocs(internals, schema, prepared) }
    },
    async count(prepared) {
      opened()
      if (prepared.queryPlan.selectorSatisfiedByIndex) return dexie.count(prepared)
      return { count: (await queriedDocs(internals, schema, prepared)).length, mode: 'slow' }
    },
    async getAttachmentData(documentId, attachmentId, digest) {
      opened()
      return dexie.getAttachmentData(documentId, attachmentId, digest)
    },
    changeStream() {
      opened()
      return events$.asObservable()
    },
    async cleanup(minimumDeletedTime) {
      opened()
      await cleanRows(internals, minimumDeletedTime)
      return true
    },
    async remove() {
      opened()
      const { transaction, docs } = await internals.begin('readwrite')
      await answers(transaction, [docs.clear()])
      await close(() => dexie.close())
    },
    close: () => closed ?? close(() => dexie.close()),
  }
  return instance
}
