/**
 * Discards (破棄) items that exist only on this device, with an undo (元に戻す). The discard takes effect at once, because
 * the item could be sent before the time for an undo is over. So an undo saves the content again as a new change:
 *
 *     discard ─┬─ no call has begun ─→ wish to discard, applied under the send lock ─→ discarded ─→ undo: a new change with
 *              │                                                                      the same content and position
 *              └─ a call has begun ─→ the item stays in the queue
 *
 * Invariants: no call begins for a change with a wish to discard (`wishes.ts`, sync/changes/send-states.ts), so nothing
 * reaches the CRM twice. Only items that no call has carried are discarded, so no input is lost that the CRM may lack (SV2).
 */
import type { RxDocument } from 'rxdb/plugins/core'
import { filter, firstValueFrom, type Observable } from 'rxjs'
import { blankProgress, type QueueItem } from '#schemas/changes/change-queue.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Change, Progress, PushableRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from '#data/database/database.ts'
import type { DraftPlace, UndoOffer } from '#data/drafts/drafts.ts'
import type { PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { changesOf, viewOf } from '#data/changes/record-views.ts'
import { writeTogether } from '#data/storage/write-together.ts'
import { discardUnsent, neverLeft, wish } from '#data/fetch-requests/wishes.ts'

/** The user's database and photo bytes, and a source of new ids. */
export type DiscardPlace = DraftPlace & { newId: () => string }

/** True if no call has begun for the waiting item, so that it can be discarded without a confirmation. */
export const isOnlyHere = ({ state, progress }: QueueItem): boolean =>
  state === 'waiting' && neverLeft(progress)

/**
 * Discards photos that are only on this device. Their bytes are copied under other keys for the undo.
 * @returns null if a call has begun for every photo: nothing is discarded
 */
export async function discardPhotos(
  place: DiscardPlace,
  items: readonly QueueItem[],
): Promise<UndoOffer | null> {
  const { db, bytes } = place
  const copies: PhotoCopy[] = []
  for (const copy of await copiesOf(place, items))
    if (await discardUnsent(db, copy.item)) copies.push(copy)
    else await bytes.remove(copy.key)
  if (copies.length === 0) return null
  return {
    back: async () => ((await photosBack(place, copies)) ? 'back' : 'tooLate'),
    forget: () => removeCopies(place, copies),
  }
}

/**
 * Discards a change that creates a record, and the record's photos. The change goes first: if the tab dies in
 * between, photos without a record remain, shown as failed, but a record is never sent without its photos.
 * @returns null if a call has begun for the change: the change stays, with its photos
 */
export async function discardWithPhotos(
  place: DiscardPlace,
  item: QueueItem,
  photos: readonly QueueItem[],
): Promise<UndoOffer | null> {
  const { db, newId } = place
  const { resource, key } = item.record
  const before = isPushCollection(resource) ? await viewOf(db, resource, key) : null
  const copies = await copiesOf(place, photos)
  if (!(await discardUnsent(db, item))) {
    await removeCopies(place, copies)
    return null
  }
  // The sender may have refused these photos by now, because their record no longer exists.
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

/** A photo to discard, with a copy of its bytes for the undo. */
interface PhotoCopy {
  item: QueueItem
  /** The photo as undo restores it. */
  photo: PhotoRecord | undefined
  /** Key of the copied bytes, and of the restored photo. */
  key: string
}

const copiesOf = ({ db, bytes, newId }: DiscardPlace, items: readonly QueueItem[]): Promise<PhotoCopy[]> =>
  Promise.all(
    items.map(async (item) => {
      const { record } = item
      const photo = (await db.photos.findOne(record.key).exec())?.toMutableJSON()
      const key = newId()
      await copyBytes(bytes, record.key, key)
      return { item, photo: photo && { ...photo, ...blankProgress(photo.savedAt), key }, key }
    }),
  )

/**
 * Restores the photos that were discarded.
 * @returns true if all photos were restored
 */
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

/** Copies the bytes of a photo to another key. The sweep deletes a copy that no photo names, after a crash. */
export async function copyBytes(table: PhotoBytesTable, from: string, to: string): Promise<void> {
  const [bytes, thumb, origin] = await Promise.all([table.get(from), table.thumb(from), table.origin(from)])
  if (bytes) await table.put(to, bytes, { thumb, ...(origin && { origin }) })
}

/** Waits until the sender has applied the request to discard. @returns true if the item is discarded now */
export async function isDiscarded(db: Database, { record, change }: QueueItem): Promise<boolean> {
  const { resource, key } = record
  if (resource !== PHOTOS)
    return (await firstValueFrom(withoutWish$(db.changes.findOne(change.id).$))).state === 'discarded'
  const { wanted, state } = await firstValueFrom(withoutWish$(db.photos.findOne(key).$))
  // Discarding the deletion of a photo keeps the photo.
  return change.kind === 'delete' ? wanted === 'kept' : state === 'discarded'
}

const withoutWish$ = <D extends Progress>(
  doc$: Observable<RxDocument<D> | null>,
): Observable<RxDocument<D>> =>
  doc$.pipe(
    filter((doc) => doc !== null),
    filter(({ wish }) => wish === 'none'),
  )

/**
 * Saves the discarded changes of a record again, under new ids.
 * @param photosFirst runs before the changes are written: if the tab dies in between, no record is sent
 * without its photos
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

/** Sends the record's refused photos again. They may have been refused because their record was missing. */
async function resendPhotos(db: Database, { record }: QueueItem): Promise<void> {
  const photos = await db.photos
    .find({ selector: { recordKey: record.key, resource: record.resource, unsent: 'yes' } })
    .exec()
  for (const photo of photos) if (photo.state === 'refused') await photo.incrementalPatch({ wish: 'resend' })
}
