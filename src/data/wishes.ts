/** 再送 and 破棄: a wish on the ledger's row; the sync module carries it out. */
import { blankLedgerEntry, type QueueItem } from '#schemas/change-queue.ts'
import type { Database } from './database.ts'

export async function wish(db: Database, item: QueueItem, what: 'resend' | 'discard'): Promise<void> {
  const entry = await db.ledger.insertIfNotExists({ ...blankLedgerEntry(item), wish: what })
  await entry.incrementalPatch({ wish: what })
}
