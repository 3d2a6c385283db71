/**
 * Expires a record's `history` a day after its values were read (RULES EX1, MG5), because the CRM never
 * confirms them again. While an edit of the record is unsent, all of it stays for merging.
 */
import type { StoredRecord } from '#schemas/change.ts'
import { declared } from '#schemas/collections/declared.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { openChanges, pulledCollection } from '#sync/changes/change-store.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { isOlder } from './expiry.ts'

type History = NonNullable<StoredRecord['history']>

/**
 * The entries that have not expired.
 * @param now epoch ms
 */
const freshHistory = ({ history = [] }: Pick<StoredRecord, 'history'>, now: number): History =>
  history.filter(({ stamp }) => !isOlder(stamp, now))

/**
 * Removes expired entries from all records.
 * @param now epoch ms
 */
export async function expireHistory(db: SyncDatabase, now: number): Promise<void> {
  const unsent = new Set((await openChanges(db)).map(({ resource, recordKey }) => `${resource} ${recordKey}`))
  for (const name of pushCollections) {
    if (!declared[name].editedByOthers) continue
    for (const doc of await pulledCollection(db, name).find().exec()) {
      if (unsent.has(`${name} ${doc.key}`)) continue
      if (freshHistory(doc, now).length === (doc.history ?? []).length) continue
      await doc.incrementalModify((latest) => ({ ...latest, history: freshHistory(latest, now) }))
    }
  }
}
