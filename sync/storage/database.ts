import type { MangoQuery, RxCollection, RxDatabase, RxDocument } from 'rxdb'
import type { CollectionName, Records } from '#schemas/collections/collections.ts'
import type { KindRecords, SharedKind } from '#schemas/collections/shared.ts'

/** One kind of a shared collection, by the keys of its own records (`src/data/database/shared-kinds.ts`). */
export interface KindView<R extends object> extends Pick<
  RxCollection<R>,
  'find' | 'findOne' | 'insertIfNotExists' | 'upsert' | 'schema'
> {
  /** Every change of a row of the kind. */
  $: RxCollection<R>['$']
  findByIds(keys: string[]): { exec(): Promise<Map<string, RxDocument<R>>> }
  bulkInsert(records: readonly R[]): Promise<{ error: unknown[] }>
  bulkUpsert(records: readonly R[]): Promise<unknown>
  bulkRemove(keys: readonly string[]): Promise<unknown>
  /** The collection with all its kinds, and a query of this one in its words. */
  whole: RxCollection<R>
  storedQuery(query?: MangoQuery<R>): MangoQuery<R>
}

/** The device's database as the sync module sees it. */
export type SyncDatabase = RxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }> & {
  readonly [K in SharedKind]: KindView<KindRecords[K]>
}

/**
 * A collection as the engine sees it, which knows no resource by name. RxDB's type of a collection is invariant in its
 * record, so no collection is one of a wider record.
 */
export const collectionOf = <R>(db: SyncDatabase, name: CollectionName) =>
  db[name] as unknown as RxCollection<R>
