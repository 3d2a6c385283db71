/**
 * 破棄 at once of what never left the device, with a way back (元に戻す). Deleting is never put off: what waits could be sent
 * in between. It is done, and putting back is a save of its own:
 *
 *     破棄 ─┬─ a wish, carried out under the send lock ── discarded ── back: the same content under a new id, in its old place
 *          └─ a call has begun: nothing is discarded, it stays in the queue and is sent or looked for as before
 *
 * A row without a payload is of a change that nobody but this device ever had, and no call begins for one with this wish
 * (`wishes.ts`, sync/changes/send-states.ts). So nothing reaches the CRM twice, and nothing is lost that the CRM may not have (SV2).
 */
import type { RxDocument } from 'rxdb/plugins/core'
import { filter, firstValueFrom, type Observable } from 'rxjs'
import { blankProgress, type QueueItem } from '#schemas/changes/change-queue.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Change, Progress, PushableRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from '#data/database/database.ts'
import type { DraftPlace } from '#data/drafts/drafts.ts'
import type { PhotoBytesTable } from '#data/photo-bytes/photo-bytes.ts'
import { changesOf, viewOf } from '#data/changes/record-views.ts'
import { writeTogether } from '#data/storage/write-together.ts'
import type { UndoOffer } from '#data/changes/undo-offer.ts'
import { discardUnsent, neverLeft, wish } from '#data/fetch-requests/wishes.ts'

export type DiscardPlace = DraftPlace & { newId: () => string }

/** It waits, and no call of it has ever left: deleting it asks for no question. */
export const isOnlyHere = ({ state, ledger }: QueueItem): boolean => state === 'waiting' && neverLeft(ledger)

/**
 * 破棄 of photos that are only here; their bytes are kept under other keys for the way back.
 * @returns null where a call has begun for each of them: nothing is discarded
 */
export async function discardPhotos(
  place: DiscardPlace,
  items: readonly QueueItem[],
): Promise<UndoOffer | null> {
  const { db, bytes } = place
  const kept: Copied[] = []
  for (const each of await copied(place, items))
    if (await discardUnsent(db, each.item)) kept.push(each)
    else await bytes.remove(each.key)
  if (kept.length === 0) return null
  return {
    back: async () => ((await photosBack(place, kept)) ? 'back' : 'left'),
    forget: () => forgotten(place, kept),
  }
}

/**
 * 破棄 of a change that makes a record, with the record's photos. The change is first: a tab that dies in between leaves
 * photos without a record, to be seen as 失敗, and never a record that is sent without its photos.
 * @returns null where a call has begun for the change: it stays, with its photos
 */
export async function discardWithPhotos(
  place: DiscardPlace,
  item: QueueItem,
  photos: readonly QueueItem[],
): Promise<UndoOffer | null> {
  const { db, newId } = place
  const { resource, key } = item.record
  const before = isPushCollection(resource) ? await viewOf(db, resource, key) : null
  const copies = await copied(place, photos)
  if (!(await discardUnsent(db, item))) {
    await forgotten(place, copies)
    return null
  }
  // the lane may have refused them by now, for their record is gone
  for (const photo of copies) await wish(db, photo.item, 'discard')
  return {
    async back() {
      if (!(await isDiscarded(db, item)) || !before) return 'left'
      let cameAll = true
      await putBack(db, resource, before, newId, async () => {
        cameAll = await photosBack(place, copies)
      })
      await resendPhotos(db, item)
      return cameAll ? 'back' : 'left'
    },
    forget: () => forgotten(place, copies),
  }
}

interface Copied {
  item: QueueItem
  /** As it is to come back. */
  photo: PhotoRecord | undefined
  /** Its bytes lie under this key, too. */
  key: string
}

const copied = ({ db, bytes, newId }: DiscardPlace, items: readonly QueueItem[]): Promise<Copied[]> =>
  Promise.all(
    items.map(async (item) => {
      const { record } = item
      const photo = (await db.photos.findOne(record.key).exec())?.toMutableJSON()
      const key = newId()
      await copyBytes(bytes, record.key, key)
      return { item, photo: photo && { ...photo, ...blankProgress(photo.savedAt), key }, key }
    }),
  )

/** @returns whether all of them were discarded, and came */
async function photosBack({ db, bytes }: DiscardPlace, copies: readonly Copied[]): Promise<boolean> {
  let cameAll = true
  for (const { item, photo, key } of copies) {
    if ((await isDiscarded(db, item)) && photo) await db.photos.insertIfNotExists(photo)
    else {
      cameAll = false
      await bytes.remove(key)
    }
  }
  return cameAll
}

async function forgotten({ bytes }: DiscardPlace, copies: readonly Copied[]): Promise<void> {
  for (const { key } of copies) await bytes.remove(key)
}

/** The bytes once more under another key. What a crash leaves of it names no photo: the sweep takes it. */
export async function copyBytes(table: PhotoBytesTable, from: string, to: string): Promise<void> {
  const [bytes, thumb, origin] = await Promise.all([table.get(from), table.thumb(from), table.origin(from)])
  if (bytes) await table.put(to, bytes, { thumb, ...(origin && { origin }) })
}

/** Whether 破棄 of it discarded it, once that is carried out. */
export async function isDiscarded(db: Database, { record, change }: QueueItem): Promise<boolean> {
  const { resource, key } = record
  if (resource !== PHOTOS)
    return (await firstValueFrom(carriedOut(db.changes.findOne(change.id).$))).state === 'discarded'
  const { wanted, state } = await firstValueFrom(carriedOut(db.photos.findOne(key).$))
  return change.kind === 'delete' ? wanted === 'kept' : state === 'discarded'
}

const carriedOut = <D extends Progress>(
  asked$: Observable<RxDocument<D> | null>,
): Observable<RxDocument<D>> =>
  asked$.pipe(
    filter((doc) => doc !== null),
    filter(({ wish }) => wish === 'none'),
  )

/**
 * The changes that died, as they were saved, but under new ids.
 * @param photosFirst before the changes: a tab that dies leaves none that is sent without them
 */
export async function putBack(
  db: Database,
  resource: string,
  before: PushableRecord,
  newId: () => string,
  photosFirst = async (): Promise<void> => undefined,
): Promise<void> {
  if (!isPushCollection(resource)) return
  const now = await changesOf(db, resource, before.key)
  const died = now.filter(
    (change) =>
      change.state === 'discarded' && neverLeft(change) && before.changes.some(({ id }) => id === change.id),
  )
  if (died.length === 0) return
  await photosFirst()
  const anew = died.map((change): Change => ({
    ...change,
    id: newId(),
    state: 'waiting',
    wish: 'none',
    settledAt: '',
  }))
  await writeTogether<Change>(db.changes, new Map(anew.map((change) => [change.id, () => change])))
}

/** Photos that lost their record meanwhile have it again. */
async function resendPhotos(db: Database, { record }: QueueItem): Promise<void> {
  const photos = await db.photos
    .find({ selector: { recordKey: record.key, resource: record.resource, unsent: 'yes' } })
    .exec()
  for (const photo of photos) if (photo.state === 'refused') await photo.incrementalPatch({ wish: 'resend' })
}
