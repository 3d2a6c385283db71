import type { RxCollection, RxDatabase } from 'rxdb'
import type { CollectionName, Records } from '#schemas/collections.ts'

/** The device's database as the sync module sees it. */
export type SyncDatabase = RxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }>

/**
 * A collection as the engine sees it, which knows no resource by name. RxDB's type of a collection is invariant in its
 * record, so no collection is one of a wider record.
 */
export const collectionOf = <R>(db: SyncDatabase, name: CollectionName) =>
  db[name] as unknown as RxCollection<R>
