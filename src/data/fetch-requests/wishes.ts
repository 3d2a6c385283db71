/**
 * Stores the user's wish to resend (再送) or discard (破棄) a change or photo of the send queue in its field `wish`. The
 * sync carries the wish out.
 */
import { changesDiscardedWith, SEND_STATE, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Change, Progress } from '#schemas/change.ts'
import { isActOf, PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { Database } from '#data/database/database.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { writeTogether } from '#data/storage/stored-docs.ts'

export async function wish(db: Database, item: QueueItem, action: 'resend' | 'discard'): Promise<void> {
  if (action === 'discard') await removeFromDrafts(db, item)
  if (item.record.resource !== PHOTOS)
    return writeTogether<Change>(
      db.changes,
      new Map([[item.change.id, (change) => change && { ...change, wish: action }]]),
    )
  const doc = await db.photos.findOne(item.record.key).exec()
  // If the photo was saved again meanwhile, the user has not decided about that save.
  await doc?.incrementalModify((photo) => (isActOf(photo, item) ? { ...photo, wish: action } : photo))
}

/**
 * Stores the same wish for several items in the given order, because the tab may die in between: a discarded change
 * before its photos, a resent item before the item for which it waits (sync RULES EX2).
 */
export async function requestInOrder(
  db: Database,
  items: readonly QueueItem[],
  action: 'resend' | 'discard',
): Promise<void> {
  for (const item of items) await wish(db, item, action)
}

/** True if no call with the item has begun: the payload is stored before the first call, and kept (RULES OC3). */
export const neverLeft = (row: Progress | undefined): boolean => row === undefined || row.payload === ''

/**
 * Discards an item that only this device has. The same write checks that no call has begun and prevents later calls.
 * @param now epoch ms
 * @returns false if a call has begun; the item then stays in the queue
 */
export async function discardUnsent(db: Database, item: QueueItem, now: number): Promise<boolean> {
  await removeFromDrafts(db, item)
  if (item.record.resource !== PHOTOS) return discardChange(db, item, now)
  const doc = await db.photos.findOne(item.record.key).exec()
  const photo = await doc?.incrementalModify((latest) =>
    isActOf(latest, item) && isDiscardable(latest) ? { ...latest, wish: 'discard' } : latest,
  )
  return photo?.wish === 'discard'
}

/** Discards a change, and then the changes that depend on it, whose calls cannot begin before the change is sent. */
async function discardChange(db: Database, { record, change }: QueueItem, now: number): Promise<boolean> {
  const settledAt = new Date(now).toISOString()
  const discarded = (latest: Change): Change => ({ ...latest, state: 'discarded', wish: 'none', settledAt })
  let isDiscarded = false
  const discard = (latest: Change | null) => {
    const isRepeated = latest?.state === 'discarded' && neverLeft(latest)
    isDiscarded = latest !== null && (isRepeated || isDiscardable(latest))
    return latest && isDiscarded ? discarded(latest) : latest
  }
  await writeTogether<Change>(db.changes, new Map([[change.id, discard]]))
  if (!isDiscarded) return false
  const discardUnlessSent = (latest: Change | null) =>
    latest && (latest.state === 'accepted' || latest.state === 'sending' ? latest : discarded(latest))
  const dependent = changesDiscardedWith(record, change)
  await writeTogether<Change>(db.changes, new Map(dependent.map(({ id }) => [id, discardUnlessSent])))
  return true
}

const removeFromDrafts = async (db: Database, { record: { resource, key } }: QueueItem) =>
  resource === PHOTOS ? leaveDrafts(db, key) : undefined

/** True if no call has begun for the item, and it is not discarded yet. Refused items count too. */
const isDiscardable = (row: Progress) =>
  neverLeft(row) && row.state !== 'discarded' && SEND_STATE[row.state] !== 'sending'
