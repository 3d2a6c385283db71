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
  getQueryMatcher,
  getSortComparator,
  type PreparedQuery,
  type RxJsonSchema,
  type RxQueryPlan,
} from 'rxdb/plugins/core'
import { committed, readingAgain, type Connection } from './idb.ts'
import {
  DELETED,
  deviceInternals,
  docOf,
  type DeviceInternals,
  type RowCodec,
  removeRows,
  writeRows,
  type Row,
} from './docs-table.ts'
import { getKeyRangeByQueryPlan } from 'rxdb/plugins/storage-dexie'

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
      closing.signal.throwIfAborted()
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
      closing.signal.throwIfAborted()
      return events$.asObservable()
    },
    async cleanup(minimumDeletedTime) {
      closing.signal.throwIfAborted()
      await cleanRows(internals, minimumDeletedTime)
      return true
    },
    async remove() {
      closing.signal.throwIfAborted()
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

/** Maximum number of rows per read, small enough not to delay a frame. */
const PIECE = 60

/**
 * Reads the rows of a query plan in batches. Each batch needs its own transaction, because a transaction ends while the
 * codec works. RxDB then applies the events since the query began.
 */
async function queriedDocs<R>(
  internals: DeviceInternals,
  schema: Readonly<RxJsonSchema<RxDocumentData<R>>>,
  { query, queryPlan }: PreparedQuery<R>,
): Promise<RxDocumentData<R>[]> {
  const { selectorSatisfiedByIndex, sortSatisfiedByIndex } = queryPlan
  const skip = query.skip ?? 0
  const end = skip + (query.limit ?? Infinity)
  const matches = selectorSatisfiedByIndex ? () => true : getQueryMatcher(schema, query)
  const found: RxDocumentData<R>[] = []
  let range = rangeOf(internals, queryPlan)
  const { upper, upperOpen } = range ?? {}
  while (range) {
    // If every row is a result, only the rows that are still needed are read. At least one is read, because `getAll`
    // takes 0 as no limit.
    const areAllFound = selectorSatisfiedByIndex && sortSatisfiedByIndex
    const limit = areAllFound ? Math.min(PIECE, Math.max(end - found.length, 1)) : PIECE
    const rest = range
    const piece: Row[] = await internals.readOne((docs) => indexOf(docs, queryPlan).getAll(rest, limit))
    const docs = (await internals.decode(piece)).map((row) => docOf<R>(row))
    found.push(...docs.filter((doc) => matches(doc)))
    const last = piece.at(-1)
    if (!last || piece.length < limit || (sortSatisfiedByIndex && found.length >= end)) break
    // The next batch begins after this row's index value, which is unique because every index ends with the primary
    // key.
    const place = queryPlan.index.map((field) => valueAt(last, field))
    range = keyRange(() => internals.ranges.bound(place, upper, true, upperOpen))
  }
  if (!sortSatisfiedByIndex) found.sort(getSortComparator(schema, query))
  return found.slice(skip, end)
}

/** Counts the rows of a query that an index answers. */
async function countedRows(internals: DeviceInternals, queryPlan: RxQueryPlan): Promise<number> {
  const range = rangeOf(internals, queryPlan)
  return range ? internals.readOne((docs) => indexOf(docs, queryPlan).count(range)) : 0
}

const indexOf = (docs: IDBObjectStore, { index }: RxQueryPlan) => docs.index(`[${index.join('+')}]`)

const rangeOf = ({ ranges }: DeviceInternals, queryPlan: RxQueryPlan) =>
  keyRange(() => getKeyRangeByQueryPlan(['_deleted'], queryPlan, ranges) as IDBKeyRange)

/** Returns the range of keys to read; null if no key can lie in the range. */
function keyRange(make: () => IDBKeyRange): IDBKeyRange | null {
  try {
    return make()
  } catch (error) {
    if (error instanceof Error && error.name === 'DataError') return null
    throw error
  }
}

const valueAt = (row: Row, path: string): IDBValidKey =>
  path.split('.').reduce<unknown>((value, name) => (value as Row)[name], row) as IDBValidKey
