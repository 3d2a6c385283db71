import type { RxCollection, RxDatabase } from 'rxdb'
import type { CollectionName, Records } from '#schemas/collections.ts'

/** The device's database as the sync module sees it. */
export type SyncDatabase = RxDatabase<{ [C in CollectionName]: RxCollection<Records[C]> }>
