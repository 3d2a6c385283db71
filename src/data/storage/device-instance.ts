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
import { readingAgain } from './read-again.ts'
import type { RowCodec } from './row-codec.ts'
import { removeRows, writeRows } from './write-rows.ts'

type DeviceInstance<R> = RxStorageInstance<R, DeviceInternals, object, RxStorageDefaultCheckpoint>

interface Parts<R> {
  dexie: RxStorageInstanceDexie<R>
  codec: RowCodec | null
  /** Whether a write is flushed to disk before it is done. */
  durability: IDBTransactionDurability
  /** Told of reads that are made again. */
  report: (problem: string) => void
}

export function deviceInstance<R>({ dexie, codec, durability, report }: Parts<R>): DeviceInstance<R> {
  const { databaseName, collectionName, schema, primaryPath, options } = dexie
  const events$ = new Subject<
    EventBulk<RxStorageChangeEvent<RxDocumentData<R>>, RxStorageDefaultCheckpoint>
  >()
  const life = lifetime(`${databaseName} ${collectionName}`, () => {
    events$.complete()
    return dexie.close()
  })
  const again = readingAgain({ ...life, report: (problem) => report(`${collectionName}: ${problem}`) })
  const internals = new DeviceInternals(primaryPath, codec, { opened: dexie.internals, again })
  const instance: DeviceInstance<R> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals,
    ...readsOf(dexie, internals, life),
    async bulkWrite(rows, context) {
      life.mustBeOpen()
      if (rows.length === 0) return { error: [] }
      const { errors, eventBulk, again: left } = await writeRows({ instance, rows, context, durability })
      if (eventBulk.events.length > 0) events$.next(eventBulk)
      if (left.writes.length === 0) return { error: errors }
      await removeRows(internals, left.unbelieved)
      const { error } = await instance.bulkWrite(left.writes, context)
      return { error: [...errors, ...error] }
    },
    changeStream() {
      life.mustBeOpen()
      return events$.asObservable()
    },
    async cleanup(minimumDeletedTime) {
      life.mustBeOpen()
      await cleanRows(internals, minimumDeletedTime)
      return true
    },
    async remove() {
      life.mustBeOpen()
      const { transaction, docs } = await internals.begin('readwrite')
      await answers(transaction, [docs.clear()])
      await life.close()
    },
    close: life.close,
  }
  return instance
}

type Reads = 'findDocumentsById' | 'query' | 'count' | 'getAttachmentData'

function readsOf<R>(
  dexie: RxStorageInstanceDexie<R>,
  internals: DeviceInternals,
  life: Lifetime,
): Pick<DeviceInstance<R>, Reads> {
  const { schema } = dexie
  const read = <T>(run: () => Promise<T>) =>
    internals.again(async () => {
      life.mustBeOpen()
      return run()
    })
  return {
    async findDocumentsById(ids, withDeleted) {
      const docs = await read(() => docsByKey<R>(internals, ids))
      return withDeleted ? docs : docs.filter(({ _deleted }) => !_deleted)
    },
    query: (prepared) => read(async () => ({ documents: await queriedDocs(internals, schema, prepared) })),
    count: (prepared) =>
      read(async () => {
        if (prepared.queryPlan.selectorSatisfiedByIndex) return dexie.count(prepared)
        return { count: (await queriedDocs(internals, schema, prepared)).length, mode: 'slow' }
      }),
    async getAttachmentData(documentId, attachmentId, digest) {
      life.mustBeOpen()
      return dexie.getAttachmentData(documentId, attachmentId, digest)
    },
  }
}

interface Lifetime {
  isClosed(): boolean
  /** Resolves when it is being closed. */
  closed: Promise<void>
  /** @throws once it was closed */
  mustBeOpen(): void
  /** Once; who asks again waits for the same end. */
  close(): Promise<void>
}

function lifetime(name: string, end: () => Promise<void>): Lifetime {
  let ending: Promise<void> | undefined
  let tell = () => undefined as void
  const closed = new Promise<void>((resolve) => (tell = resolve))
  return {
    closed,
    isClosed: () => ending !== undefined,
    mustBeOpen() {
      if (ending) throw new Error(`closed: ${name}`)
    },
    close() {
      tell()
      return (ending ??= end())
    },
  }
}
