import type { RxCollection } from 'rxdb/plugins/core'
import type { PushableRecord } from '#schemas/change.ts'
import type { PushCollection } from '#schemas/push-collections.ts'
import type { Database } from './database.ts'

/**
 * A collection whose records travel, whichever it is: what is unsent looks the same in all. RxDB's type of a
 * collection is invariant in its record, so no collection is one of a wider record.
 */
export const pushedCollection = (db: Database, name: PushCollection) =>
  db[name] as unknown as RxCollection<PushableRecord>
