/**
 * What a record said before it was changed leaves the device a day after that was read (RULES EX1, MG5): the CRM does not
 * say it any more, and never confirms it again. As long as an edit of the record is unsent all of it stays, for merging.
 */
import type { StoredRecord } from '#schemas/change.ts'
import { declared } from '#schemas/collections/declared.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { openChanges, pulledCollection } from '#sync/changes/change-store.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { isOlder } from './expiry.ts'

type History = NonNullable<StoredRecord['history']>

/** The entries that are not over. @param now epoch ms */
const freshHistory = ({ history = [] }: Pick<StoredRecord, 'history'>, now: number): History =>
  history.filter(({ stamp }) => !isOlder(stamp, now))

/** @param now epoch ms */
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
