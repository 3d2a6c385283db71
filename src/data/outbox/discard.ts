/**
 * Discards (破棄) unsent items that exist only on this device, with an undo (元に戻す). The discard takes effect at once,
 * because the item could otherwise be sent before the undo. Therefore the undo saves the content again, as a new
 * change:
 *
 *     discard ─┬─ no call has begun ─→ wish to discard, applied under the send lock ─→ discarded ─→ undo: a new change with
 *              │                                                                      the same content and position
 *              └─ a call has begun ─→ the item stays in the queue
 *
 * Invariants: no call begins for a change with a wish to discard (`wishes.ts`, sync/changes/send-adapter.ts), so nothing
 * reaches the CRM twice. An item whose call has begun is never discarded (SV2).
 */
import type { RxDocument } from 'rxdb/plugins/core'
import { filter, firstValueFrom, type Observable } from 'rxjs'
import { blankProgress, type QueueItem } from '#schemas/changes/change-queue.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Change, Progress, PushableRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Clock } from '#lib/time/stamp.ts'
import type { Database } from '#data/database/database.ts'
import type { DraftPlace } from '#data/drafts/drafts.ts'
import { changesOf, viewOf } from '#data/changes/record-views.ts'
import { writeTogether } from '#data/storage/stored-docs.ts'
import { discardUnsent, neverLeft, wish } from '#data/fetch-requests/wishes.ts'

export type DiscardPlace = DraftPlace & { newId: () => string; clock: Pick<Clock, 'now'> }

/** True if the item waits and no call has begun for it. It can then be discarded without a confirmation. */
export const isOnlyHere = ({ state, progress }: QueueItem): boolean =>
  state === 'waiting' && neverLeft(progress)

/** Discards photos that exist only on this device, with copies of their bytes for the undo; null if calls have begun. */
export async function discardPhotos(place: DiscardPlace, items: readonly QueueItem[]) {
  const { db, bytes, clock } = place
  const copies: PhotoCopy[] = []
  for (const copy of await Promise.all(items.map((item) => copyOf(place, item))))
    if (await discardUnsent(db, copy.item, clock.now())) copies.push(copy)
    else await bytes.remove(copy.key)
  if (copies.length === 0) return null
  return {
    back: async () => ((await photosBack(place, copies)) ? 'back' : 'tooLate'),
    forget: () => removeCopies(place, copies),
  }
}

/**
 * Discards a change that creates a record, and then its photos, so that the record is never sent without them.
 * @returns the offer to undo; null if a call has begun for the change, so that nothing was discarded
 */
export async function discardWithPhotos(place: DiscardPlace, item: QueueItem, photos: readonly QueueItem[]) {
  const { db, newId, clock } = place
  const { resource, key } = item.record
  const before = isPushCollection(resource) ? await viewOf(db, resource, key) : null
  const copies = await Promise.all(photos.map((photo) => copyOf(place, photo)))
  if (!(await discardUnsent(db, item, clock.now()))) {
    await removeCopies(place, copies)
    return null
  }
  // The sync may have refused these photos since their change was discarded, because their record no longer exists.
  for (const photo of copies) await wish(db, photo.item, 'discard')
  return {
    async back() {
      if (!(await isDiscarded(db, item)) || !before) return 'tooLate'
      let areAllBack = true
      await putBack(db, resource, before, newId, async () => {
        areAllBack = await photosBack(place, copies)
      })
      await resendPhotos(db, item)
      return areAllBack ? 'back' : 'tooLate'
    },
    forget: () => removeCopies(place, copies),
  }
}

/** A discarded photo item, with a copy for the undo. */
export interface PhotoCopy {
  item: QueueItem
  /** The photo that the undo of an upload inserts. */
  photo: PhotoRecord | undefined
  key: string
}

/** Copies a photo that is about to be discarded. Its bytes are deleted later if a crash leaves them over. */
export async function copyOf({ db, bytes: table, newId }: DiscardPlace, item: QueueItem, hasBytes = true) {
  const from = item.record.key
  const photo = (await db.photos.findOne(from).exec())?.toMutableJSON()
  const key = newId()
  if (hasBytes) {
    const [bytes, thumb, origin] = await Promise.all([table.get(from), table.thumb(from), table.origin(from)])
    if (bytes) await table.put(key, bytes, { thumb, ...(origin && { origin }) })
  }
  return { item, photo: photo && { ...photo, ...blankProgress(photo.savedAt), key }, key }
}

/** Restores discarded photos. @returns true if all photos were restored */
async function photosBack({ db, bytes }: DiscardPlace, copies: readonly PhotoCopy[]): Promise<boolean> {
  let areAllBack = true
  for (const { item, photo, key } of copies) {
    if ((await isDiscarded(db, item)) && photo) await db.photos.insertIfNotExists(photo)
    else {
      areAllBack = false
      await bytes.remove(key)
    }
  }
  return areAllBack
}

async function removeCopies({ bytes }: DiscardPlace, copies: readonly PhotoCopy[]): Promise<void> {
  for (const { key } of copies) await bytes.remove(key)
}

/** Waits until the sync has carried out the wish to discard. @returns true if the item is discarded */
export async function isDiscarded(db: Database, { record, change }: QueueItem): Promise<boolean> {
  const { resource, key } = record
  if (resource !== PHOTOS)
    return (await firstValueFrom(withoutWish$(db.changes.findOne(change.id).$))).state === 'discarded'
  const { wanted, state } = await firstValueFrom(withoutWish$(db.photos.findOne(key).$))
  // If the deletion of a photo was discarded, the photo itself stays.
  return change.kind === 'delete' ? wanted === 'kept' : state === 'discarded'
}

const withoutWish$ = <D extends Progress>(doc$: Observable<RxDocument<D> | null>) =>
  doc$.pipe(
    filter((doc) => doc !== null),
    filter(({ wish }) => wish === 'none'),
  )

/**
 * Saves the discarded changes of a record again, under new ids.
 * @param photosFirst called before the write, so that no record is sent without its photos if the tab dies in between
 */
export async function putBack(
  db: Database,
  resource: string,
  before: PushableRecord,
  newId: () => string,
  photosFirst = async (): Promise<void> => undefined,
): Promise<void> {
  if (!isPushCollection(resource)) return
  const isRestored = (change: Change) =>
    change.state === 'discarded' && neverLeft(change) && before.changes.some(({ id }) => id === change.id)
  const discarded = (await changesOf(db, resource, before.key)).filter(isRestored)
  if (discarded.length === 0) return
  await photosFirst()
  const unsent = { state: 'waiting', wish: 'none', settledAt: '' } as const
  const restored = discarded.map((change): Change => ({ ...change, id: newId(), ...unsent }))
  await writeTogether<Change>(db.changes, new Map(restored.map((change) => [change.id, () => change])))
}

/** Sends refused photos of the record again, because they may have been refused while the record was missing. */
async function resendPhotos(db: Database, { record }: QueueItem): Promise<void> {
  const photos = await db.photos
    .find({ selector: { recordKey: record.key, resource: record.resource, unsent: 'yes' } })
    .exec()
  for (const photo of photos) if (photo.state === 'refused') await photo.incrementalPatch({ wish: 'resend' })
}
