/** 再送 and 破棄: a wish on the ledger's row; the sync module carries it out. */
import { blankLedgerEntry, SEND_STATE, type QueueItem } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import type { Database } from './database.ts'
import { leaveDrafts } from './leave-drafts.ts'

export async function wish(db: Database, item: QueueItem, what: 'resend' | 'discard'): Promise<void> {
  if (what === 'discard') await givenUp(db, item)
  const entry = await db.ledger.insertIfNotExists({ ...blankLedgerEntry(item), wish: what })
  await entry.incrementalPatch({ wish: what })
}

/**
 * 再送 or 破棄 of several, one after the other, for a tab may die in between. Of 破棄 a change comes before its photos: it is
 * not sent without them. Of 再送 what waits comes before what it waits for, which may be sent at once: what waits would have
 * its turn and be 期限切れ (sync RULES EX2).
 */
export async function wishInTurn(
  db: Database,
  items: readonly QueueItem[],
  what: 'resend' | 'discard',
): Promise<void> {
  for (const item of items) await wish(db, item, what)
}

/** The payload is written before the first call of a change leaves (sync RULES OC3), and is never taken away. */
export const neverLeft = (row: LedgerEntry | undefined): boolean => row === undefined || row.payload === ''

/**
 * 破棄 of what nobody but this device has. Row by row it is decided in one write whether that is so: a call does not begin
 * for what is to be discarded, and what a call has begun for is not discarded by this.
 * @returns false where a call has begun: nothing is wished, and it stays in the queue
 */
export async function discardUnsent(db: Database, item: QueueItem): Promise<boolean> {
  await givenUp(db, item)
  const entry = await db.ledger.insertIfNotExists({ ...blankLedgerEntry(item), wish: 'discard' })
  const row = await entry.incrementalModify((latest) =>
    isOpen(latest) ? { ...latest, wish: 'discard' } : latest,
  )
  // carried out already, before this has looked
  return isOpen(row) || (row.state === 'discarded' && neverLeft(row))
}

const givenUp = async (db: Database, { record: { resource, key } }: QueueItem) =>
  resource === PHOTOS ? leaveDrafts(db, key) : undefined

/** Also what was refused before a call: the lane gives up a photo whose record has been discarded. */
const isOpen = (row: LedgerEntry) =>
  neverLeft(row) && row.state !== 'discarded' && SEND_STATE[row.state] !== 'sending'
