import type { RxCollection } from 'rxdb/plugins/core'
import type { StoredRecord } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from './database.ts'

/**
 * Returns a collection of pulled records by name. The cast is needed because RxDB's collection type is
 * invariant in its record type.
 */
export const pulledCollection = (db: Database, name: PushCollection) =>
  db[name] as unknown as RxCollection<StoredRecord>
