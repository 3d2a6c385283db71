/**
 * What a record said before it was changed leaves the device a day after that was read (RULES EX1, MG5): the CRM does not
 * say it any more, and never confirms it again. As long as an edit of the record is unsent all of it stays, for merging.
 */
import type { PushableRecord } from '#schemas/change.ts'
import { declared } from '#schemas/declared.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import { pushedCollection } from '../queue/queue-store.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { isOlder } from './expiry.ts'

type History = NonNullable<PushableRecord['history']>

/** The entries that are not over. @param now epoch ms */
const freshHistory = (
  { history = [], changes }: Pick<PushableRecord, 'history' | 'changes'>,
  now: number,
): History => (changes.length > 0 ? history : history.filter(({ stamp }) => !isOlder(stamp, now)))

/** @param now epoch ms */
export async function expireHistory(db: SyncDatabase, now: number): Promise<void> {
  for (const name of pushCollections) {
    if (!declared[name].editedByOthers) continue
    for (const doc of await pushedCollection(db, name).find().exec()) {
      if (freshHistory(doc, now).length === (doc.history ?? []).length) continue
      await doc.incrementalModify((latest) => ({ ...latest, history: freshHistory(latest, now) }))
    }
  }
}
