/** Photos for screens, and the fetch requests for photos. */
import { distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import { timestampIn, isSamePhotoName, uniquePhotoName } from '#schemas/resources/photo-name.ts'
import { photoItem, photoProgress, type PhotoProgress, savedAnew } from '#schemas/changes/photo-queue.ts'
import type { DraftPhoto, FormDraft } from '#schemas/device/form-draft.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { type QueueItem, blankProgress } from '#schemas/changes/change-queue.ts'
import type { Database } from '#data/database/database.ts'
import { ask } from '#data/fetch-requests/interests.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { keysOfId, viewOf } from '#data/changes/record-views.ts'
import type { Saver } from '#data/changes/changes.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'

export type PhotoView = { photo: PhotoRecord; unsent: QueueItem | null }

const sortKeyOf = ({ name }: PhotoRecord) => `${timestampIn(name)} ${name}`

/** Emits the photos of a record in the order in which they were taken, without deleted photos. */
export const photosOf$ = (db: Database, resource: string, recordKey: string): Observable<PhotoView[]> =>
  photosWhere$(db, { recordKey, resource })

/** Like `photosOf$`, but for all photos of `owner`, for example of a whole request or day. */
export function photosWhere$(
  db: Database,
  owner: Partial<Pick<PhotoRecord, 'recordKey' | 'resource' | 'requestId' | 'workingDate'>>,
): Observable<PhotoView[]> {
  return db.photos.find({ selector: { ...owner, wanted: 'kept' } }).$.pipe(
    map((docs) =>
      docs
        .map((doc) => doc.toMutableJSON())
        .toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
        .map((photo) => ({ photo, unsent: photoItem(photo) })),
    ),
  )
}

/** Returns the uploads of a record that are 待機 or 期限切れ and have waited since before a time, epoch ms. */
export async function waitingUploads(
  db: Database,
  { resource, recordKey }: { resource: string; recordKey: string },
  waitingBefore: number,
): Promise<QueueItem[]> {
  const docs = await db.photos.find({ selector: { recordKey, resource, wanted: 'kept' } }).exec()
  return docs
    .map((doc) => doc.toMutableJSON())
    .filter(({ waitingSince }) => Date.parse(waitingSince) < waitingBefore)
    .flatMap((photo) => photoItem(photo) ?? [])
    .filter(({ change, state }) => change.kind === 'upload' && (state === 'waiting' || state === 'expired'))
}

/** Emits the numbers for 写真 n / m枚 of each record that has unsent photos (sync RULES ST1). */
export const photoProgress$ = (db: Database): Observable<PhotoProgress[]> =>
  db.photos.find({ selector: { unsent: 'yes' } }).$.pipe(
    map((docs) => [...new Set(docs.map(({ recordKey }) => recordKey))]),
    distinctUntilChanged((before, now) => before.join() === now.join()),
    switchMap((keys) =>
      keys.length === 0 ? of([]) : db.photos.find({ selector: { recordKey: { $in: keys } } }).$,
    ),
    map((docs) => photoProgress(docs.map((doc) => doc.toMutableJSON()))),
  )

/** Key of the fetch request for a record's photos. Records of two collections can have equal ids. */
export const photosRequestKey = (resource: string, recordKey: string) => `photos_${resource}_${recordKey}`

export const requestPhotos = (
  db: Database,
  now: number,
  record: { resource: string; recordKey: string; requestId: string },
): Promise<void> =>
  ask(db, now, { ...record, key: photosRequestKey(record.resource, record.recordKey), kind: 'photos' })

/** Asks the sync to fetch the bytes of a photo from the file store. */
export async function requestPhotoBytes(db: Database, key: string): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  await doc?.incrementalPatch({ bytesAsked: 'yes' })
}

/** Returns the key of the record to which a photo belongs; null if the device lacks the record. */
async function recordOfPhoto(
  db: Database,
  { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>,
): Promise<string | null> {
  if (!isPushCollection(resource)) return null
  if (await viewOf(db, resource, recordKey)) return recordKey
  // If the record was merged into another record, `recordKey` is the CRM id of that record.
  return (await keysOfId(db, resource, recordKey))[0] ?? null
}

/** A photo of a record. The save makes its `name` unique within the record. */
export type NewPhoto = DraftPhoto & Pick<FormDraft, 'resource' | 'recordKey' | 'requestId' | 'workingDate'>

/** Saves photos of one record; they are on disk when this resolves. Photos that are already saved are not changed. */
export async function savePhotos(saver: Saver, photos: readonly NewPhoto[]): Promise<void> {
  const { db } = saver
  const [record] = photos
  if (!record) return
  const recordKey = (await recordOfPhoto(db, record)) ?? record.recordKey
  const savedBefore = await photosOfRecord(db, { ...record, recordKey })
  const taken = namesIn(savedBefore)
  const rows = photos
    .filter(({ key }) => savedBefore.every((doc) => doc.key !== key))
    .map(({ takenAt, ...photo }): PhotoRecord => {
      const name = uniquePhotoName(photo.name, taken)
      taken.push(name)
      const save = newSave(saver)
      return {
        ...photo,
        recordKey,
        name,
        createDate: takenAt,
        wanted: 'kept',
        fileSeq: '',
        folderId: '',
        storeName: '',
        bytesAsked: 'no',
        ...save,
        ...blankProgress(save.savedAt),
        unsent: 'yes',
      }
    })
  const { success, error } = await db.photos.bulkInsert(rows)
  // 409: another tab has saved the same photo meanwhile.
  const failed = error.find(({ status }) => status !== 409)
  if (failed) throw new Error(`photos: ${failed.status}`)
  await resolveNameConflicts(
    db,
    success.map((doc) => doc.toMutableJSON()),
  )
}

/** Renames photos of this save whose names were taken by another save at the same time. */
async function resolveNameConflicts(db: Database, saved: readonly PhotoRecord[]): Promise<void> {
  const [first] = saved
  if (!first) return
  const rivals = await photosOfRecord(db, first)
  for (const { key, name, stamp } of saved) {
    if (!rivals.some((rival) => isSamePhotoName(rival.name, name) && rival.stamp < stamp)) continue
    const doc = rivals.find((rival) => rival.key === key)
    const others = namesIn(rivals.filter((rival) => rival.key !== key))
    await doc?.incrementalModify((latest) => savedAnew(latest, { name: uniquePhotoName(name, others) }))
  }
}

/** Marks a photo for deletion; the sync then deletes it in the file store. */
export async function deletePhoto(saver: Saver, key: string): Promise<void> {
  await leaveDrafts(saver.db, key)
  const doc = await saver.db.photos.findOne(key).exec()
  const save = newSave(saver)
  await doc?.incrementalModify((photo) => savedAnew(photo, { wanted: 'deleted', ...save }))
}

const newSave = ({ clock, userId, offline }: Saver) => ({
  stamp: clock.stamp(),
  savedAt: new Date(clock.now()).toISOString(),
  userId,
  offline,
})

const photosOfRecord = (db: Database, { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>) =>
  db.photos.find({ selector: { recordKey, resource } }).exec()

const namesIn = (photos: readonly Pick<PhotoRecord, 'name' | 'storeName'>[]) =>
  photos.flatMap(({ name, storeName }) => [name, storeName])
