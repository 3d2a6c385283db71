/**
 * Saves and deletes photos of a record. The bytes are stored earlier, when a photo is taken (data/drafts/drafts), so
 * that a crash leaves at most unused bytes, never a photo without bytes (sync RULES SV1).
 */
import { isSamePhotoName, uniquePhotoName } from '#schemas/resources/photo-name.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import type { Database } from '#data/database/database.ts'
import type { Saver } from '#data/changes/changes.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { recordOfPhoto } from './photos.ts'

export interface NewPhoto {
  /** Key of the photo and of its stored bytes. */
  key: string
  resource: string
  recordKey: string
  requestId: string
  workingDate: string
  /** File name (`photoName`), which the save makes unique within the record. */
  name: string
  size: number
  type: Exclude<PhotoRecord['type'], ''>
  /** `latitude,longitude`, or '' if the position is unknown. */
  placeInfo: string
  /** ISO 8601 with offset. */
  takenAt: string
}

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

/** Returns the fields that describe a save of a photo. */
const newSave = ({ clock, userId, offline }: Saver) => ({
  stamp: clock.stamp(),
  savedAt: new Date(clock.now()).toISOString(),
  userId,
  offline,
})

const photosOfRecord = (db: Database, { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>) =>
  db.photos.find({ selector: { recordKey, resource } }).exec()

/** Returns all names in use: the wanted names, and the current names in the file store. */
const namesIn = (photos: readonly Pick<PhotoRecord, 'name' | 'storeName'>[]) =>
  photos.flatMap(({ name, storeName }) => [name, storeName])
