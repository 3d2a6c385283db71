/** The device's database, with the types that the sync module needs. */
import type { MangoQuery, RxCollection, RxDatabase, RxDocument } from 'rxdb'
import type { CollectionName, Records } from '#schemas/collections/collections.ts'
import type { KindRecords, SharedKind } from '#schemas/collections/shared.ts'

/** One kind of a shared collection, as if it were a collection of its own (`src/data/database/shared-kinds.ts`). */
export interface KindView<R extends object> extends Pick<
  RxCollection<R>,
  'find' | 'findOne' | 'insertIfNotExists' | 'upsert' | 'schema'
> {
  /** Change events of this kind's rows. */
  $: RxCollection<R>['$']
  findByIds(keys: string[]): { exec(): Promise<Map<string, RxDocument<R>>> }
  bulkInsert(records: readonly R[]): Promise<{ error: unknown[] }>
  bulkUpsert(records: readonly R[]): Promise<unknown>
  bulkRemove(keys: readonly string[]): Promise<unknown>
  /** The underlying collection with all kinds, and the translation of a query for that collection. */
  whole: RxCollection<R>
  storedQuery(query?: MangoQuery<R>): MangoQuery<R>
}

export type SyncDatabase = RxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }> & {
  readonly [K in SharedKind]: KindView<KindRecords[K]>
}

/** A collection by name. The cast is needed because RxDB's collection type is invariant in its record type. */
export const collectionOf = <R>(db: SyncDatabase, name: CollectionName) =>
  db[name] as unknown as RxCollection<R>

/** What the sync needs beyond RxDB's interface. Only the app's own storage (`src/data/storage`) has it. */
export interface DeviceRows {
  readOnce<D extends object>(collection: RxCollection<D>, query: MangoQuery<D>): Promise<D[]>
  readByKeys<D extends object>(collection: RxCollection<D>, keys: readonly string[]): Promise<D[]>
  /** Writes several documents in one write. Each function gets the current document and returns the new one, null: none. */
  writeTogether<D>(
    collection: RxCollection<D>,
    changes: ReadonlyMap<string, (document: D | null) => D | null | Promise<D | null>>,
  ): Promise<void>
  /** Returns functions that remove old rows; null until the metadata of the `replication` that pushes them is open. */
  cleaningOf(collection: object, replication: object | undefined): Cleaning | null
}

/** `now`: epoch ms of the clock that stamps RxDB's writes. */
type Age = { now: number; deletedForMs: number }

/** The two steps of removing old rows of a collection (`expiry.ts`). */
interface Cleaning {
  /** @returns keys of the removed documents; `early`: of those whose deletion the replication has not processed */
  removeDeleted(age: Age): Promise<{ removed: string[]; early: string[] }>
  /** Removes the replication's metadata of documents that no longer exist: of these keys, or all if null. */
  forget(age: Age, keys: readonly string[] | null): Promise<void>
}

/** The device rows of an `RxDatabase`; undefined if the database's storage does not offer them. */
export const deviceRows = (database: { storage?: object } | undefined): DeviceRows | undefined =>
  (database?.storage as { rows?: DeviceRows } | undefined)?.rows

/** Runs a query, sorted only if it sorts, without RxDB's query cache, which takes 50 MB for ten thousand requests. */
export async function readOnce<D extends object>(
  collection: RxCollection<D> | Pick<KindView<D>, 'whole' | 'storedQuery'>,
  query: MangoQuery<D>,
): Promise<D[]> {
  if ('storedQuery' in collection) return readOnce(collection.whole, collection.storedQuery(query))
  const rows = deviceRows(collection.database)
  if (rows) return rows.readOnce(collection, query)
  const docs = await collection.find(query).exec()
  return docs.map((doc) => doc.toJSON() as D)
}

/** Reads the documents with these keys, if they exist. RxDB's own query would read all again after concurrent writes. */
export async function readByKeys<D extends object>(
  collection: RxCollection<D>,
  keys: readonly string[],
): Promise<D[]> {
  const rows = deviceRows(collection.database)
  if (rows) return rows.readByKeys(collection, keys)
  const docs = await collection.findByIds([...keys]).exec()
  return [...docs.values()].map((doc) => doc.toJSON() as D)
}
