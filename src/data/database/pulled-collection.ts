import type { RxCollection } from 'rxdb/plugins/core'
import type { StoredRecord } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from './database.ts'

/**
 * The documents of a collection of records, whichever it is. RxDB's type of a collection is invariant in its record, so no
 * collection is one of a wider record.
 */
export const pulledCollection = (db: Database, name: PushCollection) =>
  db[name] as unknown as RxCollection<StoredRecord>
