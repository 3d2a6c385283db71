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
