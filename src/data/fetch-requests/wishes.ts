/** 再送 and 破棄: what is asked of a change or a photo; the sync module carries it out. */
import { goesWithDiscarded, SEND_STATE, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Change, Progress } from '#schemas/change.ts'
import { isActOf, PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { Database } from '#data/database/database.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { writeTogether } from '#data/storage/write-together.ts'

export async function wish(db: Database, item: QueueItem, what: 'resend' | 'discard'): Promise<void> {
  if (what === 'discard') await givenUp(db, item)
  if (item.record.resource !== PHOTOS)
    return writeTogether<Change>(
      db.changes,
      new Map([[item.change.id, (change) => change && { ...change, wish: what }]]),
    )
  const doc = await db.photos.findOne(item.record.key).exec()
  // what was saved of it since, another name say, is not what was decided about
  await doc?.incrementalModify((photo) => (isActOf(photo, item) ? { ...photo, wish: what } : photo))
}

/**
 * 再送 or 破棄 of several, one after the other, for a tab may die in between. Of 破棄 a change comes before its photos: it is
 * not sent without them. Of 再送 what waits comes before what it waits for, which may be sent at once: what waits would have
 * its turn and be 期限切れ (sync RULES EX2).
 */
export async function requestInOrder(
  db: Database,
  items: readonly QueueItem[],
  what: 'resend' | 'discard',
): Promise<void> {
  for (const item of items) await wish(db, item, what)
}

/** The payload is written before the first call of a change leaves (sync RULES OC3), and is never taken away. */
export const neverLeft = (row: Progress | undefined): boolean => row === undefined || row.payload === ''

/**
 * 破棄 of what nobody but this device has. Row by row it is decided in one write whether that is so: a call does not begin
 * for what is to be discarded, and what a call has begun for is not discarded by this.
 * @returns false where a call has begun: nothing is wished, and it stays in the queue
 */
export async function discardUnsent(db: Database, item: QueueItem): Promise<boolean> {
  await givenUp(db, item)
  if (item.record.resource !== PHOTOS) return discardChange(db, item)
  const doc = await db.photos.findOne(item.record.key).exec()
  const photo = await doc?.incrementalModify((latest) =>
    isActOf(latest, item) && isOpen(latest) ? { ...latest, wish: 'discard' } : latest,
  )
  return photo?.wish === 'discard'
}

/** The change itself decides; what goes with it cannot have left since. */
async function discardChange(db: Database, { record, change }: QueueItem): Promise<boolean> {
  const settledAt = new Date().toISOString()
  const discarded = (latest: Change): Change => ({ ...latest, state: 'discarded', wish: 'none', settledAt })
  let isTaken = false
  const take = (latest: Change | null) => {
    isTaken = latest !== null && neverLeft(latest) && (latest.state === 'discarded' || isOpen(latest))
    return latest && isTaken ? discarded(latest) : latest
  }
  await writeTogether<Change>(db.changes, new Map([[change.id, take]]))
  if (!isTaken) return false
  const others = goesWithDiscarded(record, change).map(
    ({ id }): [string, (latest: Change | null) => Change | null] => [
      id,
      (latest) =>
        latest && (latest.state === 'accepted' || latest.state === 'sending' ? latest : discarded(latest)),
    ],
  )
  if (others.length > 0) await writeTogether<Change>(db.changes, new Map(others))
  return true
}

const givenUp = async (db: Database, { record: { resource, key } }: QueueItem) =>
  resource === PHOTOS ? leaveDrafts(db, key) : undefined

/** Also what was refused before a call: a photo is given up whose record has been discarded. */
const isOpen = (row: Progress) =>
  neverLeft(row) && row.state !== 'discarded' && SEND_STATE[row.state] !== 'sending'
