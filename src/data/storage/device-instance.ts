/** One collection's store. All writes pass through here, so its event stream is complete. */
import { Subject } from 'rxjs'
import type {
  EventBulk,
  RxDocumentData,
  RxStorageChangeEvent,
  RxStorageDefaultCheckpoint,
  RxStorageInstance,
  RxStorageInstanceCreationParams,
} from 'rxdb/plugins/core'
import { getPrimaryFieldOfPrimaryKey } from 'rxdb/plugins/core'
import type { Connection } from './connection.ts'
import { committed } from './idb.ts'
import { resultsIn, DeviceInternals, type RowCodec } from './docs-table.ts'
import { countedRows, docsByKey, queriedDocs } from './query-rows.ts'
import { readingAgain } from './read-again.ts'
import { removeRows, writeRows } from './write-rows.ts'

type DeviceInstance<R> = RxStorageInstance<R, DeviceInternals, object, RxStorageDefaultCheckpoint>

interface DeviceInstanceParts<R> {
  params: RxStorageInstanceCreationParams<R, object>
  connection: Connection
  ranges: typeof IDBKeyRange
  codec: RowCodec | null
  /** `strict` flushes a write to disk before it resolves. */
  durability: IDBTransactionDurability
  report: (problem: string) => void
}

export function deviceInstance<R>(parts: DeviceInstanceParts<R>): DeviceInstance<R> {
  const { params, connection, ranges, codec, durability, report } = parts
  const { databaseName, collectionName, schema, options } = params
  const primaryPath = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
  const events$ = new Subject<
    EventBulk<RxStorageChangeEvent<RxDocumentData<R>>, RxStorageDefaultCheckpoint>
  >()
  const lifetime = createLifetime(`${databaseName} ${collectionName}`, () => {
    events$.complete()
    return connection.close()
  })
  const again = readingAgain({
    ...lifetime,
    report: (problem) => report(`${collectionName}: ${problem}`),
  })
  const internals = new DeviceInternals(primaryPath, codec, { connection, ranges, again })
  const instance: DeviceInstance<R> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals,
    ...readsOf(schema, internals, lifetime),
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
  schema: DeviceInstance<R>['schema'],
  internals: DeviceInternals,
  lifetime: Lifetime,
): Pick<DeviceInstance<R>, Reads> {
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
        if (prepared.queryPlan.selectorSatisfiedByIndex)
          return { count: await countedRows(internals, prepared.queryPlan), mode: 'fast' }
        return { count: (await queriedDocs(internals, schema, prepared)).length, mode: 'slow' }
      }),
    getAttachmentData: () => Promise.reject(new Error('storage: no schema has attachments')),
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

/** The stored form of `_deleted: true`, because IndexedDB cannot index booleans. */
const DELETED = '1'

/**
 * Removes rows that were deleted long ago (RULES EX4). It finds them by the index on `_deleted`, while RxDB's own
 * cleanup reads every document.
 * @param minimumDeletedTime minimum time since the deletion, in milliseconds
 */
async function cleanRows(internals: DeviceInternals, minimumDeletedTime: number): Promise<void> {
  const ranges = internals.ranges
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
