/** What the app needs beyond RxDB's interface: direct reads and writes on the storage, and queries that outlast a failure. */
import {
  getDefaultRevision,
  getDefaultRxDocumentMeta,
  normalizeMangoQuery,
  prepareQuery,
  type BulkWriteRow,
  type MangoQuery,
  type RxCollection,
  type RxDocumentData,
  createRevision,
  type RxStorageInstance,
  type WithDeleted,
  addRxPlugin,
  type RxPlugin,
} from 'rxdb/plugins/core'
import {
  endWith,
  ignoreElements,
  merge,
  NEVER,
  retry,
  takeUntil,
  throwError,
  timer,
  type MonoTypeOperatorFunction,
  type Observable,
  type RetryConfig,
} from 'rxjs'
import { isBrokenOff } from './idb.ts'

/**
 * Runs an RxDB query directly on the storage and returns plain records. The result includes writes of other tabs that
 * RxDB's query cache does not know yet. The order is undefined unless the query sorts.
 */
export async function readStored<D extends object>(
  { schema: { jsonSchema }, storageInstance }: Pick<RxCollection<D>, 'schema' | 'storageInstance'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  const selector = { ...query.selector, _deleted: { $eq: false } }
  const normalized = normalizeMangoQuery(jsonSchema, { ...query, selector } as MangoQuery<D>)
  // The cast is needed because RxDB's type of a query includes meta fields.
  const { documents } = await storageInstance.query(prepareQuery(jsonSchema, normalized as never))
  return documents.map(plainOf)
}

/** Reads records by key. RxDB's own method would read again after concurrent writes. */
export async function readStoredByKeys<D extends object>(
  { storageInstance }: Pick<RxCollection<D>, 'storageInstance'>,
  keys: readonly string[],
): Promise<D[]> {
  return (await storageInstance.findDocumentsById([...keys], false)).map(plainOf)
}

// The fields of a stored document, without those that RxDB adds, are the record. RxDB's types do not say so.
const plainOf = <D>({ _deleted, _meta, _rev, _attachments, ...record }: RxDocumentData<D>): D =>
  record as unknown as D

/**
 * Returns the new record for the current record. The argument is null if there is none; the result null deletes the
 * record.
 */
export type Write<R> = (record: R | null) => R | null | Promise<R | null>

/**
 * Writes several documents of one collection in one storage write: all or none. Documents that another writer has
 * changed meanwhile are computed and written again.
 * @param changes functions by document key
 */
export async function writeTogether<R>(
  collection: RxCollection<R>,
  changes: ReadonlyMap<string, Write<R>>,
): Promise<void> {
  const docs = await collection.findByIds([...changes.keys()]).exec()
  const known = new Map([...docs].map(([key, doc]) => [key, doc.toMutableJSON(true) as RxDocumentData<R>]))
  for (let pending = [...changes]; pending.length > 0;) {
    const made = await Promise.all(pending.map(([key, change]) => rowOf(known.get(key), change)))
    const rows = made.filter((row) => row !== null)
    if (rows.length === 0) return
    const { error: errors } = await collection.storageInstance.bulkWrite(rows, 'write-together')
    for (const error of errors) {
      if (error.status !== 409) throw new Error(`${collection.name}: ${error.status}`)
      known.set(error.documentId, error.documentInDb)
    }
    const conflicts = errors.map(({ documentId }) => documentId)
    pending = pending.filter(([key]) => conflicts.includes(key))
  }
}

/** Returns the storage write for a document; null if there is neither an old nor a new record. */
async function rowOf<R>(
  previous: RxDocumentData<R> | undefined,
  change: Write<R>,
): Promise<BulkWriteRow<R> | null> {
  const live = previous && !previous._deleted ? plainOf(previous) : null
  const record = await change(live)
  if (record === null && live === null) return null
  const {
    _meta = getDefaultRxDocumentMeta(),
    _rev = getDefaultRevision(),
    _attachments = {},
  } = previous ?? {}
  const document =
    record === null
      ? { ...previous, _deleted: true }
      : { _meta, _rev, _attachments, ...record, _deleted: false }
  return { ...(previous && { previous }), document } as BulkWriteRow<R>
}

export type DeviceRows = typeof deviceRows

/**
 * Operations for `sync/` that RxDB's interface lacks (`sync/storage/database.ts`). They work on any RxStorage, but depend on
 * how RxDB stores replication metadata.
 */
export const deviceRows = {
  readOnce: readStored,
  readByKeys: readStoredByKeys,
  writeTogether,
  removeDeleted,
}

type StoredDoc = Record<string, unknown>
type Store<D> = RxStorageInstance<D, unknown, unknown>

/** A row of the replication metadata: the metadata of one document, or a checkpoint. */
type Known = { id: string; itemId: string; isCheckpoint: string; docData?: WithDeleted<unknown> }

/**
 * Removes documents of a collection that were deleted long ago, and then the replication metadata of documents that no longer
 * exist. Does nothing if the collection is pushed, but its replication has not opened the store of the metadata yet.
 * @param collection an `RxCollection`
 * @param replication the `RxReplicationState` that pushes the collection, if there is one
 * @param age `now`: epoch ms of the clock that stamps RxDB's writes. `deletedForMs`: minimum time since the deletion
 */
async function removeDeleted(
  collection: object,
  replication: { metaInstance?: unknown; push?: unknown } | undefined,
  { now, deletedForMs }: { now: number; deletedForMs: number },
): Promise<void> {
  const known = replication?.push ? (replication.metaInstance as Store<Known> | undefined) : null
  if (known === undefined) return
  const { storageInstance: store } = collection as { storageInstance: Store<StoredDoc> }
  await store.cleanup(deletedForMs)
  if (!known) return
  const query = normalizeMangoQuery(known.schema, { selector: { isCheckpoint: { $eq: '0' } } })
  const { documents } = await known.query(prepareQuery(known.schema, query))
  const old = documents.filter(({ _meta }) => _meta.lwt < now - deletedForMs)
  const keys = old.map(({ itemId }) => itemId)
  const docs = await store.findDocumentsById(keys, true)
  const existing = new Set(docs.map((doc) => doc[store.schema.primaryKey as string]))
  const writes = old
    .filter(({ itemId }) => !existing.has(itemId))
    .map((previous) => ({
      previous,
      document: { ...previous, _deleted: true, _rev: createRevision('cleanup', previous) },
    }))
  if (writes.length > 0) await known.bulkWrite(writes, 'cleanup')
  await known.cleanup(deletedForMs)
}

const FIRST_MS = 1_000
const LONGEST_MS = 30_000

/** Private members of RxDB's query that the plugin uses. */
interface Query {
  _latestChangeEvent: number
  _ensureEqualQueue: Promise<boolean>
  _execOverDatabase: (rerunCount?: number) => Promise<unknown>
  readonly collection: Pick<RxCollection, 'database'>
  readonly $: Observable<unknown>
  lasting$?: Observable<unknown>
}

/**
 * A plugin of RxDB that restarts live queries after a failed read, because an RxDB query otherwise ends with its first
 * error until the page reloads (sync RULES, trap 21).
 *
 *     read failed for too long ─→ query restarts ─┬─ one-time reads get the error
 *                                                 └─ live subscribers get a retry, later each time
 *
 * When the database closes (logout, lock), its live queries emit neither rows nor an error (trap 26). The plugin also
 * removes duplicate ids from the arguments of `findByIds`, because RxDB would otherwise still return the document after
 * the document is removed (trap 24).
 */
const plugin: RxPlugin = {
  name: 'restart-failed-queries',
  rxdb: true,
  prototypes: {
    RxQuery(prototype: Query) {
      resetAfterFailure(prototype)
      retryLiveQueries(prototype)
    },
    RxCollection: withoutDuplicateIds,
  },
}

/** Installs the plugin. Must be called only with the tested versions of RxDB. */
export const restartFailedQueries = (): void => addRxPlugin(plugin)

function resetAfterFailure(prototype: Query): void {
  const { _execOverDatabase: run } = prototype
  prototype._execOverDatabase = function (this: Query, rerunCount) {
    return run.call(this, rerunCount).catch((error: unknown) => {
      // The query's state is reset, so that the next call reads again.
      this._latestChangeEvent = -1
      this._ensureEqualQueue = Promise.resolve(false)
      throw error
    })
  }
}

function withoutDuplicateIds(prototype: Pick<RxCollection, 'findByIds'>): void {
  const { findByIds } = prototype
  prototype.findByIds = function (this: RxCollection, ids) {
    return findByIds.call(this, [...new Set(ids)])
  }
}

function retryLiveQueries(prototype: Query): void {
  const once = Object.getOwnPropertyDescriptor(prototype, '$')?.get
  if (!once) return
  Object.defineProperty(prototype, '$', {
    configurable: true,
    get(this: Query) {
      return (this.lasting$ ??= (once.call(this) as Query['$']).pipe(lasting(this.collection)))
    },
  })
}

/**
 * Repeats a failed read while the database is open. Once RxDB begins to close the database, the observable emits no
 * value, no error and no completion.
 */
export const lasting =
  <T>({ database }: Pick<RxCollection, 'database'>): MonoTypeOperatorFunction<T> =>
  (read$) =>
    merge(
      read$.pipe(retry(RETRY), takeUntil(database.eventBulks$.pipe(ignoreElements(), endWith(null)))),
      NEVER,
    )

const RETRY: RetryConfig = {
  delay: (error: unknown, times: number) =>
    isBrokenOff(error) ? timer(Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 1))) : throwError(() => error),
  resetOnSuccess: true,
}
