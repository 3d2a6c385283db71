/**
 * 元に戻す of a save that has not left the device: its changes are discarded, and what was typed is a draft again.
 *
 *     draft ─ 破棄 of the changes, then of the photos ─┬─ all discarded: what they had replaced is put back: back
 *                                                      └─ a call of one has begun: the others are put back, the draft goes: left
 *
 * The draft is written first: a crash in between leaves what was typed twice, never not at all. All else is as in
 * data/outbox/discard: what a call has begun for is not discarded, and no call begins for what is to be.
 */
import { blankProgress, effectiveChanges, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { DraftPhoto } from '#schemas/device/form-draft.ts'
import type { SendFacts } from '#schemas/change.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Database } from '#data/database/database.ts'
import { copyBytes, isDiscarded, isOnlyHere, putBack, type DiscardPlace } from './discard.ts'
import { draftOf, dropDraft, putDraft } from '#data/drafts/drafts.ts'
import type { Submitted } from '#data/drafts/save-draft.ts'
import type { Outbox } from './outbox.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { discardUnsent, neverLeft } from '#data/fetch-requests/wishes.ts'

/** A save as its form told it. */
export interface MadeSave {
  /** Of the changes and photos it wrote. */
  stamps: readonly string[]
  /** The form, where it has a draft. */
  form: Submitted | null
}

interface SavedItems {
  changes: QueueItem[]
  photos: QueueItem[]
}

/**
 * What of the queue a save wrote.
 * @returns null where some of it has left, or something else that is not to be had back would go with it
 */
export function undoable({ queue, photos, ledger }: Outbox, stamps: readonly string[]): SavedItems | null {
  const isOf = ({ change }: QueueItem) => stamps.includes(change.stamp)
  const mine = { changes: queue.filter(isOf), photos: photos.flatMap(({ items }) => items.filter(isOf)) }
  const all = [...mine.changes, ...mine.photos]
  if (all.length === 0 || all.length < stamps.length || !all.every(isOnlyHere)) return null
  return mine.changes.every(({ record }) => goesAlone(record, stamps, ledger)) ? mine : null
}

/** Nothing that was saved later hangs on it, and what it replaced can be put back. */
function goesAlone(
  { changes }: PushableRecord,
  stamps: readonly string[],
  ledger: ReadonlyMap<string, SendFacts>,
): boolean {
  const first = stamps.toSorted()[0] ?? ''
  const counting = effectiveChanges(changes)
  return changes
    .filter(({ stamp }) => !stamps.includes(stamp))
    .every((other) => other.stamp < first && (counting.includes(other) || neverLeft(ledger.get(other.id))))
}

/**
 * back: it is undone. left: nothing is, because it is being sent. typed: nothing is, because something else was typed into
 * its form since.
 */
export type Undone = 'back' | 'left' | 'typed'

export async function undoSave(
  place: DiscardPlace,
  { changes, photos }: SavedItems,
  { stamps, form }: MadeSave,
): Promise<Undone> {
  const { db } = place
  if (form && (await draftOf(db, form.key))) return 'typed'
  const shots = await Promise.all(photos.map((item) => shotOf(place, item)))
  const records = await Promise.all(changes.map(async (item) => ({ item, record: await recordOf(db, item) })))
  if (form) await putDraft(db, form, partsOf(shots))
  const discarded = await discardAll(db, changes, photos)
  const isBack = discarded.size === changes.length + photos.length
  const lost = isBack ? [] : shots.filter(({ item }) => discarded.has(item))
  await putRecordsBack(place, records, isBack ? stamps : [], lost)
  if (isBack) return 'back'
  if (form) await dropDraft(place, form.key)
  return 'left'
}

/**
 * Changes before their photos: none is sent without them. The first change that has left ends it. All photos at once: the
 * lane gives up what it finds without its record.
 * @returns those that nobody but this device ever had
 */
async function discardAll(
  db: Database,
  changes: readonly QueueItem[],
  photos: readonly QueueItem[],
): Promise<Set<QueueItem>> {
  const taken: QueueItem[] = []
  const take = async (item: QueueItem) => {
    const isTaken = await discardUnsent(db, item)
    if (isTaken) taken.push(item)
    return isTaken
  }
  let isOpen = true
  for (const item of changes) isOpen &&= await take(item)
  if (isOpen) await Promise.all(photos.map(take))
  const discarded = await Promise.all(taken.map((item) => isDiscarded(db, item)))
  return new Set(taken.filter((_, at) => discarded[at]))
}

interface Shot {
  item: QueueItem
  photo: PhotoRecord | undefined
  /** Its bytes lie under this key, too. */
  copy: string
}

async function shotOf({ db, bytes, newId }: DiscardPlace, item: QueueItem): Promise<Shot> {
  const { key } = item.record
  const photo = (await db.photos.findOne(key).exec())?.toMutableJSON()
  const copy = newId()
  if (item.change.kind === 'upload') await copyBytes(bytes, key, copy)
  return { item, photo, copy }
}

const partsOf = (shots: readonly Shot[]) => ({
  photos: shots.flatMap(({ item, photo, copy }) =>
    item.change.kind === 'upload' && photo ? [draftPhoto(photo, copy)] : [],
  ),
  unwanted: shots.flatMap(({ item }) => (item.change.kind === 'delete' ? [item.record.key] : [])),
})

const draftPhoto = ({ name, placeInfo, createDate, size, type }: PhotoRecord, key: string): DraftPhoto => ({
  key,
  name,
  placeInfo,
  takenAt: createDate,
  size,
  type: type === 'image/png' ? type : 'image/jpeg',
})

interface Before {
  item: QueueItem
  record: PushableRecord | undefined
}

/**
 * What went with the save, or of it where some of it has left.
 * @param without stamps of the changes that stay discarded
 * @param lost photos and deletions that are wanted again
 */
async function putRecordsBack(
  place: DiscardPlace,
  records: readonly Before[],
  without: readonly string[],
  lost: readonly Shot[],
): Promise<void> {
  let left = [...lost]
  const photosBack = async (isOf: (shot: Shot) => boolean) => {
    for (const shot of left.filter(isOf)) await putShotBack(place, shot)
    left = left.filter((shot) => !isOf(shot))
  }
  for (const { item, record } of records) {
    if (!record) continue
    const { resource } = item.record
    const changes = record.changes.filter(({ stamp }) => !without.includes(stamp))
    const isOf = ({ photo }: Shot) => photo?.resource === resource && photo.recordKey === record.key
    if (changes.length > 0)
      await putBack(place.db, resource, { ...record, changes }, place.newId, () => photosBack(isOf))
  }
  await photosBack(() => true)
}

/** An upload comes back under the key of its copy, for its own is discarded. */
async function putShotBack({ db }: DiscardPlace, { item, photo, copy }: Shot): Promise<void> {
  if (!photo) return
  const anew = { ...photo, ...blankProgress(photo.savedAt), key: copy }
  if (item.change.kind === 'upload') return void (await db.photos.insertIfNotExists(anew))
  const { wanted, name } = photo
  const doc = await db.photos.findOne(photo.key).exec()
  await doc?.incrementalModify((latest) => savedAnew(latest, { wanted, name }))
}

const recordOf = async (db: Database, { record: { resource, key } }: QueueItem) =>
  isPushCollection(resource) ? ((await viewOf(db, resource, key)) ?? undefined) : undefined
