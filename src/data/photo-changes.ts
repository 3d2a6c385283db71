/**
 * Saving, renaming and deleting a photo of a record. Its bytes were put when it was taken (data/drafts): a crash between
 * the two leaves bytes that a draft names or a later start sweeps, never a photo without bytes (sync RULES SV1).
 */
import { photoName, uniquePhotoName } from '#schemas/photo-name.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import { withUnsent } from '#schemas/photo-queue.ts'
import { fileStamp } from '#lib/tokyo-time.ts'
import type { Database } from './database.ts'
import type { Saver } from './changes.ts'

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

/** Saves a photo; it is on disk when this resolves. What is saved already stays as it is, whatever became of it. */
export async function savePhoto(saver: Saver, { takenAt, ...photo }: NewPhoto): Promise<void> {
  const { db } = saver
  const save = newSave(saver)
  const name = uniquePhotoName(photo.name, await namesOf(db, photo, photo.key))
  const doc = await db.photos.insertIfNotExists({
    ...photo,
    name,
    createDate: takenAt,
    wanted: 'kept',
    fileSeq: '',
    folderId: '',
    storeName: '',
    bytesAsked: 'no',
    ...save,
    unsent: 'yes',
  })
  if (doc.changeId !== save.changeId) return
  // two saves at the same time do not see each other's name: the later one gives way
  const rivals = await db.photos
    .find({ selector: { recordKey: doc.recordKey, resource: doc.resource } })
    .exec()
  if (rivals.some((rival) => rival.name === name && rival.stamp < save.stamp)) {
    const other = uniquePhotoName(photo.name, await namesOf(db, photo, photo.key))
    await doc.incrementalModify((latest) => withUnsent({ ...latest, name: other }))
  }
}

/** Another name for a photo, unique within its record; its extension stays that of its bytes. */
export async function renamePhoto(saver: Saver, key: string, name: string): Promise<void> {
  const doc = await saver.db.photos.findOne(key).exec()
  if (!doc) return
  const plain = photoName(name, fileStamp(saver.clock.now()), doc.type || 'image/jpeg')
  const unique = uniquePhotoName(plain, await namesOf(saver.db, doc, key))
  await change(saver, key, (photo) => ({ ...photo, name: unique }))
}

/** The photo is to go, here and in the file store. */
export const deletePhoto = (saver: Saver, key: string): Promise<void> =>
  change(saver, key, (photo) => ({ ...photo, wanted: 'deleted' }))

async function change(saver: Saver, key: string, to: (photo: PhotoRecord) => PhotoRecord): Promise<void> {
  const doc = await saver.db.photos.findOne(key).exec()
  const save = newSave(saver)
  await doc?.incrementalModify((photo) => withUnsent({ ...to(photo), ...save }))
}

const newSave = ({ clock, newId, userId, offline }: Saver) => ({
  changeId: newId(),
  stamp: clock.stamp(),
  savedAt: new Date(clock.now()).toISOString(),
  userId,
  offline,
})

/** Every name in use within a record: as wanted here, and as the file store still has it. */
async function namesOf(
  db: Database,
  { resource, recordKey }: Pick<PhotoRecord, 'resource' | 'recordKey'>,
  but = '',
): Promise<string[]> {
  const docs = await db.photos.find({ selector: { recordKey, resource } }).exec()
  return docs.filter(({ key }) => key !== but).flatMap(({ name, storeName }) => [name, storeName])
}
