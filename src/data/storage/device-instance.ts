/**
 * The storage of one collection. RxDB's own Dexie instance opens and closes it; reads, writes and cleanup go directly
 * to IndexedDB. All writes of this tab pass through here and are emitted as events.
 */
import { Subject } from 'rxjs'
import type {
  EventBulk,
  RxDocumentData,
  RxStorageChangeEvent,
  RxStorageDefaultCheckpoint,
  RxStorageInstance,
  RxStorageInstanceCreationParams,
} from 'rxdb/plugins/core'
import type { RxStorageInstanceDexie } from 'rxdb/plugins/storage-dexie'
import { committed } from './idb.ts'
import { resultsIn, DeviceInternals } from './docs-table.ts'
import { docsByKey, queriedDocs } from './query-rows.ts'
import { readingAgain } from './read-again.ts'
import type { RowCodec } from './row-codec.ts'
import { removeRows, writeRows } from './write-rows.ts'

type DeviceInstance<R> = RxStorageInstance<R, DeviceInternals, object, RxStorageDefaultCheckpoint>

/** Opens a store with its first read or write, because a start reads few of the stores. */
function openOnUse<R>(open: () => Promise<RxStorageInstanceDexie<R>>) {
  let opening: Promise<RxStorageInstanceDexie<R>> | undefined
  const opened = () => (opening ??= open())
  return {
    opened,
    internals: async () => (await opened()).internals,
    close: async () => (await opening)?.close(),
  }
}

interface DeviceInstanceParts<R> {
  params: RxStorageInstanceCreationParams<R, object>
  primaryPath: string
  open: () => Promise<RxStorageInstanceDexie<R>>
  codec: RowCodec | null
  /** With `strict`, a write is flushed to disk before it resolves. */
  durability: IDBTransactionDurability
  report: (problem: string) => void
}

export function deviceInstance<R>({
  params,
  primaryPath,
  open,
  codec,
  durability,
  report,
}: DeviceInstanceParts<R>): DeviceInstance<R> {
  const { databaseName, collectionName, schema, options } = params
  const dexie = openOnUse(open)
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
    ...readsOf({ schema, opened: dexie.opened, internals, lifetime }),
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

interface ReadParts<R> extends Pick<DeviceInstance<R>, 'schema'> {
  internals: DeviceInternals
  opened: () => Promise<RxStorageInstanceDexie<R>>
  lifetime: Lifetime
}

function readsOf<R>({ schema, opened, internals, lifetime }: ReadParts<R>): Pick<DeviceInstance<R>, Reads> {
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
        if (prepared.queryPlan.selectorSatisfiedByIndex) return (await opened()).count(prepared)
        return { count: (await queriedDocs(internals, schema, prepared)).length, mode: 'slow' }
      }),
    async getAttachmentData(documentId, attachmentId, digest) {
      lifetime.mustBeOpen()
      return (await opened()).getAttachmentData(documentId, attachmentId, digest)
    },
  }
}

interface Lifetime {
  isClosed(): boolean
  closed: Promise<void>
  /** @throws after the store was closed */
  mustBeOpen(): void
  /** Closes the store; a repeated call returns the same promise. */
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

/** Stored form of `_deleted: true`, because IndexedDB cannot index booleans. */
const DELETED = '1'

/**
 * Removes rows that were deleted long ago. They are found by an index. RxDB's own cleanup would read every document
 * (RULES EX4).
 * @param minimumDeletedTime milliseconds since the deletion
 */
async function cleanRows(internals: DeviceInternals, minimumDeletedTime: number): Promise<void> {
  const ranges = await internals.ranges()
  const { transaction, docs } = await internals.begin('readwrite')
  const before = Date.now() - minimumDeletedTime
  const deleted = docs.index(`[_deleted+${internals.primaryPath}]`)
  // The range covers all index values that begin with `DELETED`, because arrays sort after strings in IndexedDB.
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
