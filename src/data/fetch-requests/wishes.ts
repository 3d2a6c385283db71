/**
 * Requests to resend (再送) or discard (破棄) a change or a photo, stored in its field `wish`. The sync module applies
 * them.
 */
import { changesDiscardedWith, SEND_STATE, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Change, Progress } from '#schemas/change.ts'
import { isActOf, PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { Database } from '#data/database/database.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { writeTogether } from '#data/storage/write-together.ts'

export async function wish(db: Database, item: QueueItem, action: 'resend' | 'discard'): Promise<void> {
  if (action === 'discard') await removeFromDrafts(db, item)
  if (item.record.resource !== PHOTOS)
    return writeTogether<Change>(
      db.changes,
      new Map([[item.change.id, (change) => change && { ...change, wish: action }]]),
    )
  const doc = await db.photos.findOne(item.record.key).exec()
  // The user's decision does not cover a later save of the photo, for example another name.
  await doc?.incrementalModify((photo) => (isActOf(photo, item) ? { ...photo, wish: action } : photo))
}

/**
 * Requests the same for several items, one after the other, because the tab may die in between. For `discard`, the
 * caller puts a change before its photos, which are never sent without the change. For `resend`, the caller puts an
 * item before the item it waits for: that one may be sent at once, and the waiting item would then be tried and expire
 * (sync RULES EX2).
 */
export async function requestInOrder(
  db: Database,
  items: readonly QueueItem[],
  action: 'resend' | 'discard',
): Promise<void> {
  for (const item of items) await wish(db, item, action)
}

/**
 * True if no call has begun for the change or photo. The payload is stored before the first call (sync RULES OC3) and
 * never removed.
 */
export const neverLeft = (row: Progress | undefined): boolean => row === undefined || row.payload === ''

/**
 * Discards an item that only this device has. One write decides whether a call has begun: no call begins for
 * an item that is to be discarded, and an item whose call has begun is not discarded.
 * @returns false if a call has begun: the item stays in the queue
 */
export async function discardUnsent(db: Database, item: QueueItem): Promise<boolean> {
  await removeFromDrafts(db, item)
  if (item.record.resource !== PHOTOS) return discardChange(db, item)
  const doc = await db.photos.findOne(item.record.key).exec()
  const photo = await doc?.incrementalModify((latest) =>
    isActOf(latest, item) && isOpen(latest) ? { ...latest, wish: 'discard' } : latest,
  )
  return photo?.wish === 'discard'
}

/** Discards a change, then the changes that depend on it. No call of a dependent change begins before the call of that change. */
async function discardChange(db: Database, { record, change }: QueueItem): Promise<boolean> {
  const settledAt = new Date().toISOString()
  const discarded = (latest: Change): Change => ({ ...latest, state: 'discarded', wish: 'none', settledAt })
  let isDiscarded = false
  const discard = (latest: Change | null) => {
    isDiscarded = latest !== null && neverLeft(latest) && (latest.state === 'discarded' || isOpen(latest))
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

/** True if no call has begun, also for a photo that was refused because its record had been discarded. */
const isOpen = (row: Progress) =>
  neverLeft(row) && row.state !== 'discarded' && SEND_STATE[row.state] !== 'sending'
