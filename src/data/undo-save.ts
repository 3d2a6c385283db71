/**
 * 元に戻す of a save that has not left the device: its changes are discarded, and what was typed is a draft again.
 *
 *     draft ─ 破棄 of the changes ─┬─ discarded: what they had replaced is put back ─ 破棄 of the photos ─ back
 *                                 └─ a call of one has begun: the others are put back, the draft goes, nothing is undone: left
 *
 * The draft is written first: a crash in between leaves what was typed twice, never not at all. All else is as in
 * data/discard: what a call has begun for is not discarded, and no call begins for what is to be.
 */
import { effectiveChanges, type QueueItem } from '#schemas/change-queue.ts'
import type { DraftPhoto } from '#schemas/form-draft.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/push-collections.ts'
import type { Database } from './database.ts'
import { carriedOut, copyBytes, isOnlyHere, putBack, type DiscardPlace } from './discard.ts'
import { draftOf, dropDraft, putDraft, removeDraftPhoto } from './drafts.ts'
import type { Submitted } from './form-drafts.ts'
import type { Outbox } from './outbox.ts'
import { pushedCollection } from './pushed-collection.ts'
import { discardUnsent, neverLeft } from './wishes.ts'

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
  ledger: ReadonlyMap<string, LedgerEntry>,
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
  if (form && (await draftOf(place.db, form.key))) return 'typed'
  const shots = await Promise.all(photos.map((item) => shotOf(place, item)))
  if (form) await putDraft(place.db, form, partsOf(shots))
  const undone = await undoChanges(place, changes, stamps)
  if (undone === 'left') {
    if (form) await dropDraft(place, form.key)
    return undone
  }
  for (const shot of shots) await undoPhoto(place, shot, form)
  return undone
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

/** Where a call has begun for one of them, the others are there as before. */
async function undoChanges(
  { db, newId }: DiscardPlace,
  items: readonly QueueItem[],
  stamps: readonly string[],
): Promise<Exclude<Undone, 'typed'>> {
  const before = await Promise.all(items.map(async (item) => ({ item, record: await recordOf(db, item) })))
  const taken: QueueItem[] = []
  for (const item of items) if (await discardUnsent(db, item)) taken.push(item)
  const rows = await Promise.all(taken.map(({ change }) => carriedOut(db, change.id)))
  const isUndone = taken.length === items.length && rows.every(({ state }) => state === 'discarded')
  for (const { item, record } of before) {
    if (!record) continue
    const kept = isUndone ? record.changes.filter(({ stamp }) => !stamps.includes(stamp)) : record.changes
    if (kept.length > 0) await putBack(db, item.record.resource, { ...record, changes: kept }, newId)
  }
  return isUndone ? 'back' : 'left'
}

const recordOf = async (db: Database, { record: { resource, key } }: QueueItem) =>
  isPushCollection(resource)
    ? (await pushedCollection(db, resource).findOne(key).exec())?.toMutableJSON()
    : undefined

/** One that is being sent stays with its record, and not in the draft. */
async function undoPhoto(place: DiscardPlace, { item, copy }: Shot, form: Submitted | null): Promise<void> {
  const isTaken = await discardUnsent(place.db, item)
  const isGone = isTaken && (await carriedOut(place.db, item.change.id)).state === 'discarded'
  if (!isGone && form) await (await removeDraftPhoto(place, form.key, copy))?.forget()
}
