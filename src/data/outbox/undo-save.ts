/**
 * Undoes (元に戻す) a save that is not sent yet. Its changes are discarded, and its input becomes a draft again:
 *
 *     draft ─ discard changes, then photos ─┬─ all discarded: what they had replaced is restored: back
 *                                           └─ a call has begun for one: the others are restored, the draft is dropped: tooLate
 *
 * The draft is written first, so that a crash cannot lose the input. An item whose call has begun is not discarded
 * (outbox/discard).
 */
import { effectiveChanges, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { DraftPhoto } from '#schemas/device/form-draft.ts'
import type { SendFacts, PushableRecord } from '#schemas/change.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { copyOf, isDiscarded, isOnlyHere, putBack, type DiscardPlace, type PhotoCopy } from './discard.ts'
import { draftOf, dropDraft, putDraft, type Submitted } from '#data/drafts/drafts.ts'
import type { Outbox } from './outbox.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { discardUnsent, neverLeft } from '#data/fetch-requests/wishes.ts'

export type MadeSave = { stamps: readonly string[]; form: Submitted | null }

type SavedItems = { changes: QueueItem[]; photos: QueueItem[] }

/** Returns the items of a save; null if a call has begun, or another save would be discarded too. */
export function undoable({ queue, photos, progress }: Outbox, stamps: readonly string[]): SavedItems | null {
  const isOf = ({ change }: QueueItem) => stamps.includes(change.stamp)
  const mine = { changes: queue.filter(isOf), photos: photos.flatMap(({ items }) => items.filter(isOf)) }
  const all = [...mine.changes, ...mine.photos]
  if (all.length === 0 || all.length < stamps.length || !all.every(isOnlyHere)) return null
  return mine.changes.every(({ record }) => isIndependent(record, stamps, progress)) ? mine : null
}

/** True if the record has no later change, and the changes that the save replaced can be restored: no call has begun. */
function isIndependent(
  { changes }: PushableRecord,
  stamps: readonly string[],
  progress: ReadonlyMap<string, SendFacts>,
): boolean {
  const first = stamps.toSorted()[0] ?? ''
  const effective = effectiveChanges(changes)
  return changes
    .filter(({ stamp }) => !stamps.includes(stamp))
    .every((other) => other.stamp < first && (effective.includes(other) || neverLeft(progress.get(other.id))))
}

/**
 * `back`: the save is undone. `tooLate`: nothing is undone, because some of it is being sent. `typed`: nothing is
 * undone, because the form contains other input.
 */
export type Undone = 'back' | 'tooLate' | 'typed'

/** Undoes the whole save, or changes nothing. */
export async function undoSave(
  place: DiscardPlace,
  { changes, photos }: SavedItems,
  { stamps, form }: MadeSave,
): Promise<Undone> {
  const { db } = place
  if (form && (await draftOf(db, form.key))) return 'typed'
  const shots = await Promise.all(photos.map((item) => copyOf(place, item, isUpload(item))))
  const records = await Promise.all(
    changes.map(async ({ record: { resource, key } }) => ({
      resource,
      record: isPushCollection(resource) ? await viewOf(db, resource, key) : null,
    })),
  )
  if (form) await putDraft(db, form, draftPartsOf(shots))
  const discarded = await discardAll(place, changes, photos)
  const isBack = discarded.size === changes.length + photos.length
  const lost = isBack ? [] : shots.filter(({ item }) => discarded.has(item))
  await putRecordsBack(place, records, isBack ? stamps : [], lost)
  if (isBack) return 'back'
  if (form) await dropDraft(place, form.key)
  return 'tooLate'
}

/** Discards the changes first, so that no record is sent without its photos, and stops if a call has begun. */
async function discardAll(
  { db, clock }: DiscardPlace,
  changes: readonly QueueItem[],
  photos: readonly QueueItem[],
): Promise<Set<QueueItem>> {
  const requested: QueueItem[] = []
  const request = async (item: QueueItem) => {
    const isRequested = await discardUnsent(db, item, clock.now())
    if (isRequested) requested.push(item)
    return isRequested
  }
  let areAllUnsent = true
  for (const item of changes) areAllUnsent &&= await request(item)
  if (areAllUnsent) await Promise.all(photos.map(request))
  const discarded = await Promise.all(requested.map((item) => isDiscarded(db, item)))
  return new Set(requested.filter((_, index) => discarded[index]))
}

const draftPartsOf = (shots: readonly PhotoCopy[]) => ({
  photos: shots.flatMap(({ item, photo }) => (isUpload(item) && photo ? draftPhoto(photo) : [])),
  unwanted: shots.flatMap(({ item }) => (item.change.kind === 'delete' ? [item.record.key] : [])),
})

const isUpload = ({ change }: QueueItem) => change.kind === 'upload'

const draftPhoto = ({ key, name, placeInfo, createDate, size, type }: PhotoRecord): DraftPhoto => ({
  key,
  name,
  placeInfo,
  takenAt: createDate,
  size,
  type: type === 'image/png' ? type : 'image/jpeg',
})

/**
 * Restores the changes that the save had replaced, and after a failed undo the discarded items too.
 * @param records the records of the save's changes, as they were before the undo
 * @param without stamps of the changes that stay discarded
 */
async function putRecordsBack(
  place: DiscardPlace,
  records: readonly { resource: string; record: PushableRecord | null }[],
  without: readonly string[],
  lost: readonly PhotoCopy[],
): Promise<void> {
  let remaining = [...lost]
  const photosBack = async (isOf: (shot: PhotoCopy) => boolean) => {
    for (const shot of remaining.filter(isOf)) await putShotBack(place, shot)
    remaining = remaining.filter((shot) => !isOf(shot))
  }
  for (const { resource, record } of records) {
    if (!record) continue
    const changes = record.changes.filter(({ stamp }) => !without.includes(stamp))
    const isOf = ({ photo }: PhotoCopy) => photo?.resource === resource && photo.recordKey === record.key
    if (changes.length > 0)
      await putBack(place.db, resource, { ...record, changes }, place.newId, () => photosBack(isOf))
  }
  await photosBack(() => true)
}

/** Restores a photo item. An upload gets the key of the copied bytes: its own key belongs to a discarded photo. */
async function putShotBack({ db }: DiscardPlace, { item, photo }: PhotoCopy): Promise<void> {
  if (!photo) return
  if (isUpload(item)) return void (await db.photos.insertIfNotExists(photo))
  const { wanted, name } = photo
  const doc = await db.photos.findOne(item.record.key).exec()
  await doc?.incrementalModify((latest) => savedAnew(latest, { wanted, name }))
}
