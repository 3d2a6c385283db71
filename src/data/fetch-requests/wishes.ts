/** Records the wish to resend (再送) or discard (破棄) a change or a photo. The sync module applies it. */
import { changesDiscardedWith, SEND_STATE, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Change, Progress } from '#schemas/change.ts'
import { isActOf, PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { Database } from '#data/database/database.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { writeTogether } from '#data/storage/write-together.ts'

export async function wish(db: Database, item: QueueItem, what: 'resend' | 'discard'): Promise<void> {
  if (what === 'discard') await removeFromDrafts(db, item)
  if (item.record.resource !== PHOTOS)
    return writeTogether<Change>(
      db.changes,
      new Map([[item.change.id, (change) => change && { ...change, wish: what }]]),
    )
  const doc = await db.photos.findOne(item.record.key).exec()
  // The decision does not cover what was saved since, for example another name.
  await doc?.incrementalModify((photo) => (isActOf(photo, item) ? { ...photo, wish: what } : photo))
}

/**
 * Records a wish for several items, one after the other, because the tab may die in between. For `discard`, a
 * change precedes its photos, which are never sent without it. For `resend`, an item precedes the one it
 * waits for: the latter may be sent at once, and the former would then be tried and expire (sync RULES EX2).
 */
export async function requestInOrder(
  db: Database,
  items: readonly QueueItem[],
  what: 'resend' | 'discard',
): Promise<void> {
  for (const item of items) await wish(db, item, what)
}

/**
 * True if no call has begun for it. The payload is stored before the first call of a change (sync RULES OC3)
 * and never removed.
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

/** Discards a change, then the changes that depend on it. No call of those can have begun before its call. */
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
  const others = changesDiscardedWith(record, change).map(
    ({ id }): [string, (latest: Change | null) => Change | null] => [
      id,
      (latest) =>
        latest && (latest.state === 'accepted' || latest.state === 'sending' ? latest : discarded(latest)),
    ],
  )
  if (others.length > 0) await writeTogether<Change>(db.changes, new Map(others))
  return true
}

const removeFromDrafts = async (db: Database, { record: { resource, key } }: QueueItem) =>
  resource === PHOTOS ? leaveDrafts(db, key) : undefined

/** Also true for a photo that was refused without a call, because its record had been discarded. */
const isOpen = (row: Progress) =>
  neverLeft(row) && row.state !== 'discarded' && SEND_STATE[row.state] !== 'sending'
