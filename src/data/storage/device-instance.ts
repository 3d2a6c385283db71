/**
 * One collection's store. RxDB's own Dexie instance opens and closes it; reads, writes and cleanup bypass
 * Dexie. All writes pass through here, so its event stream is complete.
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
import { committed } from './idb.ts'
import { resultsIn, DeviceInternals, type RowCodec } from './docs-table.ts'
import { docsByKey, queriedDocs } from './query-rows.ts'
import { readingAgain } from './read-again.ts'
import { removeRows, writeRows } from './write-rows.ts'

type DeviceInstance<R> = RxStorageInstance<R, DeviceInternals, object, RxStorageDefaultCheckpoint>

interface DeviceInstanceParts<R> {
  dexie: RxStorageInstanceDexie<R>
  codec: RowCodec | null
  /** `strict` flushes a write to disk before it resolves. */
  durability: IDBTransactionDurability
  report: (problem: string) => void
}

export function deviceInstance<R>({
  dexie,
  codec,
  durability,
  report,
}: DeviceInstanceParts<R>): DeviceInstance<R> {
  const { databaseName, collectionName, schema, primaryPath, options } = dexie
  const events$ = new Subject<
    EventBulk<RxStorageChangeEvent<RxDocumentData<R>>, RxStorageDefaultCheckpoint>
  >()
  const lifetime = createLifetime(`${databaseName} ${collectionName}`, () => {
    events$.complete()
    return dexie.close()
  })
  const again = readingAgain({
    ...lifetime,
    report: (problem) => report(`${collectionName}: ${problem}`),
  })
  const internals = new DeviceInternals(primaryPath, codec, { opened: dexie.internals, again })
  const instance: DeviceInstance<R> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals,
    ...readsOf(dexie, internals, lifetime),
    async bulkWrite(rows, context) {
      lifetime.mustBeOpen()
      if (rows.length === 0) return { error: [] }
      const { errors, eventBulk, toRepeat } = await writeRows({ instance, rows, context, durability })
      if (eventBulk.events.length > 0) events$.next(eventBulk)
      if (toRepeat.writes.length === 0) return { error: errors }
      await removeRows(internals, toRepeat.refused)
      const { error } = await instance.bulkWrite(toRepeat.writes, context)
      return { error: [...errors, ...error] }
    },
    changeStream() {
      lifetime.mustBeOpen()
      return events$.asObservable()
    },
    async cleanup(minimumDeletedTime) {
      lifetime.mustBeOpen()
      await cleanRows(internals, minimumDeletedTime)
      return true
    },
    async remove() {
      lifetime.mustBeOpen()
      const { transaction, docs } = await internals.begin('readwrite')
      await resultsIn(transaction, [docs.clear()])
      await lifetime.close()
    },
    close: lifetime.close,
  }
  return instance
}

type Reads = 'findDocumentsById' | 'query' | 'count' | 'getAttachmentData'

function readsOf<R>(
  dexie: RxStorageInstanceDexie<R>,
  internals: DeviceInternals,
  lifetime: Lifetime,
): Pick<DeviceInstance<R>, Reads> {
  const { schema } = dexie
  const read = <T>(run: () => Promise<T>) =>
    internals.again(async () => {
      lifetime.mustBeOpen()
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
      lifetime.mustBeOpen()
      return dexie.getAttachmentData(documentId, attachmentId, digest)
    },
  }
}

/** The open or closed state of a store. */
interface Lifetime {
  isClosed(): boolean
  /** Resolves when closing begins. */
  closed: Promise<void>
  /** @throws after the store was closed */
  mustBeOpen(): void
  /** Closes once; every call returns the same promise. */
  close(): Promise<void>
}

function createLifetime(name: string, end: () => Promise<void>): Lifetime {
  let ending: Promise<void> | undefined
  let beginClosing = () => undefined as void
  const closed = new Promise<void>((resolve) => (beginClosing = resolve))
  return {
    closed,
    isClosed: () => ending !== undefined,
    mustBeOpen() {
      if (ending) throw new Error(`closed: ${name}`)
    },
    close() {
      beginClosing()
      return (ending ??= end())
    },
  }
}

/** The stored form of `_deleted: true`, because Dexie cannot index booleans. */
const DELETED = '1'

/**
 * Removes rows that were deleted long ago (RULES EX4). It finds them by the index on `_deleted`, while RxDB's own
 * cleanup reads every document.
 * @param minimumDeletedTime minimum time since the deletion, in milliseconds
 */
async function cleanRows(internals: DeviceInternals, minimumDeletedTime: number): Promise<void> {
  const ranges = await internals.ranges()
  const { transaction, docs } = await internals.begin('readwrite')
  const before = Date.now() - minimumDeletedTime
  const deleted = docs.index(`[_deleted+${internals.primaryPath}]`)
  // The range has all deleted rows, whatever their key: in IndexedDB, `[]` sorts after every string.
  const all = ranges.bound([DELETED], [DELETED, []])
  const reading = deleted.openCursor(all)
  reading.addEventListener('success', () => {
    const cursor = reading.result
    if (!cursor) return
    const { _meta: meta } = cursor.value as { _meta: { lwt: number } }
    if (meta.lwt < before) cursor.delete()
    cursor.continue()
  })
  await committed(transaction)
}
