/**
 * Saving, renaming and deleting photos of a record. The bytes were put when a photo was taken (data/drafts/drafts): a crash between
 * the two leaves bytes that a draft names or a later start sweeps, never a photo without bytes (sync RULES SV1).
 */
import { isSamePhotoName, photoName, uniquePhotoName } from '#schemas/resources/photo-name.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import { fileStamp } from '#lib/time/tokyo-time.ts'
import type { Database } from '#data/database/database.ts'
import type { Saver } from '#data/changes/changes.ts'
import { leaveDrafts } from '#data/database/leave-drafts.ts'
import { recordOfPhoto } from './record-of-photo.ts'

export interface NewPhoto {
  /** Its bytes lie under this key already. */
  key: string
  /** The record it belongs to: its collection and key, and its request. */
  resource: string
  recordKey: string
  requestId: string
  workingDate: string
  /** As it is stored (`photoName`); made unique within its record. */
  name: string
  size: number
  type: Exclude<PhotoRecord['type'], ''>
  /** `latitude,longitude`, or empty. */
  placeInfo: string
  /** ISO 8601 with offset. */
  takenAt: string
}

/**
 * Saves photos of one record; they are on disk when this resolves. What is saved already stays as it is, whatever became
 * of it.
 */
export async function savePhotos(saver: Saver, photos: readonly NewPhoto[]): Promise<void> {
  const { db } = saver
  const [asked] = photos
  if (!asked) return
  const recordKey = (await recordOfPhoto(db, asked)) ?? asked.recordKey
  const before = await ofRecord(db, { ...asked, recordKey })
  const taken = namesIn(before)
  const rows = photos
    .filter(({ key }) => before.every((doc) => doc.key !== key))
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
  // one write for all of them
  const { success, error } = await db.photos.bulkInsert(rows)
  const failed = error.find(({ status }) => status !== 409)
  if (failed) throw new Error(`photos: ${failed.status}`)
  await giveWay(
    db,
    success.map((doc) => doc.toMutableJSON()),
  )
}

/** Two saves at the same time do not see each other's names: the later one gives way. */
async function giveWay(db: Database, saved: readonly PhotoRecord[]): Promise<void> {
  const [first] = saved
  if (!first) return
  const rivals = await ofRecord(db, first)
  for (const { key, name, stamp } of saved) {
    if (!rivals.some((rival) => isSamePhotoName(rival.name, name) && rival.stamp < stamp)) continue
    const doc = rivals.find((rival) => rival.key === key)
    const others = namesIn(rivals.filter((rival) => rival.key !== key))
    await doc?.incrementalModify((latest) => savedAnew(latest, { name: uniquePhotoName(name, others) }))
  }
}

/** Another name for a photo, unique within its record; its extension stays that of its bytes. */
export async function renamePhoto(saver: Saver, key: string, name: string): Promise<void> {
  const doc = await saver.db.photos.findOne(key).exec()
  if (!doc) return
  const plain = photoName(name, fileStamp(saver.clock.now()), doc.type || 'image/jpeg')
  const others = (await ofRecord(saver.db, doc)).filter((other) => other.key !== key)
  const unique = uniquePhotoName(plain, namesIn(others))
  await change(saver, key, { name: unique })
}

/** The photo is to go, here and in the file store. */
export async function deletePhoto(saver: Saver, key: string): Promise<void> {
  await leaveDrafts(saver.db, key)
  await change(saver, key, { wanted: 'deleted' })
}

async function change(saver: Saver, key: string, to: Partial<PhotoRecord>): Promise<void> {
  const doc = await saver.db.photos.findOne(key).exec()
  const save = newSave(saver)
  await doc?.incrementalModify((photo) => savedAnew(photo, { ...to, ...save }))
}

const newSave = ({ clock, userId, offline }: Saver) => ({
  stamp: clock.stamp(),
  savedAt: new Date(clock.now()).toISOString(),
  userId,
  offline,
})

const ofRecord = (db: Database, { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>) =>
  db.photos.find({ selector: { recordKey, resource } }).exec()

/** Every name in use: as wanted here, and as the file store still has it. */
const namesIn = (photos: readonly Pick<PhotoRecord, 'name' | 'storeName'>[]) =>
  photos.flatMap(({ name, storeName }) => [name, storeName])
