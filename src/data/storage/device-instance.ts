/** One collection's store. All writes pass through here, so its event stream is complete. */
import { Subject } from 'rxjs'
import {
  getPrimaryFieldOfPrimaryKey,
  type EventBulk,
  type RxDocumentData,
  type RxStorageChangeEvent,
  type RxStorageDefaultCheckpoint,
  type RxStorageInstance,
  type RxStorageInstanceCreationParams,
} from 'rxdb/plugins/core'
import type { Connection } from './connection.ts'
import { committed } from './idb.ts'
import { DELETED, deviceInternals, docOf, type DeviceInternals, type RowCodec } from './docs-table.ts'
import { countedRows, queriedDocs } from './query-rows.ts'
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
  const events$ = new Subject<
    EventBulk<RxStorageChangeEvent<RxDocumentData<R>>, RxStorageDefaultCheckpoint>
  >()
  const closing = new AbortController()
  const again = readingAgain(closing.signal, (problem) => report(`${collectionName}: ${problem}`))
  const primaryPath = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
  const internals = deviceInternals({ primaryPath, codec, again, ranges, begin: connection.begin })
  const mustBeOpen = () => closing.signal.throwIfAborted()
  let ending: Promise<void> | undefined
  /** Closes once; every call returns the same promise. */
  const close = () => {
    closing.abort(new Error(`closed: ${databaseName} ${collectionName}`))
    events$.complete()
    return (ending ??= connection.close())
  }
  const instance: DeviceInstance<R> = {
    databaseName,
    collectionName,
    schema,
    options,
    internals,
    ...readsOf(schema, internals),
    async bulkWrite(rows, context) {
      mustBeOpen()
      if (rows.length === 0) return { error: [] }
      const written = await writeRows(instance, rows, context, durability)
      const { errors, eventBulk, toRepeat } = written
      if (eventBulk.events.length > 0) events$.next(eventBulk)
      if (toRepeat.length === 0) return { error: errors }
      await removeRows(internals, written.refused)
      const { error } = await instance.bulkWrite(toRepeat, context)
      return { error: [...errors, ...error] }
    },
    changeStream() {
      mustBeOpen()
      return events$.asObservable()
    },
    async cleanup(minimumDeletedTime) {
      mustBeOpen()
      await cleanRows(internals, minimumDeletedTime)
      return true
    },
    async remove() {
      mustBeOpen()
      const docs = await internals.begin('readwrite')
      docs.clear()
      await committed(docs.transaction)
      await close()
    },
    close,
  }
  return instance
}

type Reads = 'findDocumentsById' | 'query' | 'count' | 'getAttachmentData'

function readsOf<R>(
  schema: DeviceInstance<R>['schema'],
  internals: DeviceInternals,
): Pick<DeviceInstance<R>, Reads> {
  const { again } = internals
  return {
    findDocumentsById: (ids, withDeleted) =>
      again(async () => {
        const rows = (await internals.readKeys(ids)).filter((row) => row !== undefined)
        const docs = (await internals.decode(rows)).map((row) => docOf<R>(row))
        return docs.filter(({ _deleted }) => withDeleted || !_deleted)
      }),
    query: (prepared) => again(async () => ({ documents: await queriedDocs(internals, schema, prepared) })),
    count: (prepared) =>
      again(async () => {
        if (prepared.queryPlan.selectorSatisfiedByIndex)
          return { count: await countedRows(internals, prepared.queryPlan), mode: 'fast' }
        return { count: (await queriedDocs(internals, schema, prepared)).length, mode: 'slow' }
      }),
    getAttachmentData: () => Promise.reject(new Error('storage: no schema has attachments')),
  }
}

/**
 * Removes rows that were deleted long ago (RULES EX4). It finds them by the index on `_deleted`, while RxDB's own
 * cleanup reads every document.
 * @param minimumDeletedTime minimum time since the deletion, in milliseconds
 */
async function cleanRows(internals: DeviceInternals, minimumDeletedTime: number): Promise<void> {
  const docs = await internals.begin('readwrite')
  const before = Date.now() - minimumDeletedTime
  const deleted = docs.index(`[_deleted+${internals.primaryPath}]`)
  // The range has all deleted rows, whatever their key: in IndexedDB, `[]` sorts after every string.
  const all = internals.ranges.bound([DELETED], [DELETED, []])
  const reading = deleted.openCursor(all)
  reading.addEventListener('success', () => {
    const cursor = reading.result
    if (!cursor) return
    const { _meta: meta } = cursor.value as { _meta: { lwt: number } }
    if (meta.lwt < before) cursor.delete()
    cursor.continue()
  })
  await committed(docs.transaction)
}
