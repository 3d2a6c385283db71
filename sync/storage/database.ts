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

/** @returns the new document for the stored one; null: none */
export type Write<D> = (stored: D | null) => D | null

/** What the sync needs beyond RxDB's interface. Only the app's own storage (`src/data/storage`) has it. */
interface DeviceRows {
  readOnce<D extends object>(collection: RxCollection<D>, query: MangoQuery<D>): Promise<D[]>
  readByKeys<D extends object>(collection: RxCollection<D>, keys: readonly string[]): Promise<D[]>
  writeTogether<D>(collection: RxCollection<D>, changes: ReadonlyMap<string, Write<D>>): Promise<void>
  /** Removes documents that were deleted long ago, and the metadata of the `replication` that pushes them. */
  removeDeleted(collection: object, replication: object | undefined, age: Age): Promise<void>
}

/** `now`: epoch ms of the clock that stamps RxDB's writes. */
type Age = { now: number; deletedForMs: number }

const rowsOf = ({ database }: { database: object }): DeviceRows =>
  (database as { storage: { rows: DeviceRows } }).storage.rows

export const removeDeleted = (database: SyncDatabase, ...which: Parameters<DeviceRows['removeDeleted']>) =>
  rowsOf({ database }).removeDeleted(...which)

/** Runs a query, sorted only if it sorts, without RxDB's query cache, which takes 50 MB for ten thousand requests. */
export const readOnce = <D extends object>(
  collection: RxCollection<D> | Pick<KindView<D>, 'whole' | 'storedQuery'>,
  query: MangoQuery<D>,
): Promise<D[]> =>
  'storedQuery' in collection
    ? rowsOf(collection.whole).readOnce(collection.whole, collection.storedQuery(query))
    : rowsOf(collection).readOnce(collection, query)

/** Reads the documents with these keys, if they exist. RxDB's own query would read all again after concurrent writes. */
export const readByKeys = <D extends object>(collection: RxCollection<D>, keys: readonly string[]) =>
  rowsOf(collection).readByKeys(collection, keys)

/** Writes documents in one transaction. Each function gets the stored document, and returns the new one or null. */
export const writeTogether = <D extends object>(
  collection: RxCollection<D>,
  writes: ReadonlyMap<string, Write<D>>,
): Promise<void> => rowsOf(collection).writeTogether(collection, writes)
