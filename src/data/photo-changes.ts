/**
 * Saving, renaming and deleting a photo of a record. The bytes are put first, then what is known of the photo: a crash
 * between the two leaves bytes that nobody shows and a later start sweeps, never a photo without bytes (sync RULES SV1).
 */
import { photoName, photoTypeOf, uniquePhotoName } from '#schemas/photo-name.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import { withUnsent } from '#schemas/photo-queue.ts'
import { fileStamp, toTokyoIso } from '#lib/tokyo-time.ts'
import type { Database } from './database.ts'
import type { PhotoBytesTable } from './photo-bytes.ts'
import type { Saver } from './changes.ts'

export interface NewPhoto {
  /** The record it belongs to: its collection and key, and its request. */
  resource: string
  recordKey: string
  requestId: string
  workingDate: string
  /** The file's own name; checked before (`photoProblem`). */
  name: string
  bytes: ArrayBuffer
  thumb?: ArrayBuffer | undefined
  /** `latitude,longitude`, or empty. */
  placeInfo: string
}

type PhotoSaver = Saver & { bytes: PhotoBytesTable }

/**
 * Saves a photo; it is on disk when this resolves.
 * @returns the photo's key
 */
export async function savePhoto(saver: PhotoSaver, photo: NewPhoto): Promise<string> {
  const { db, bytes: table, clock, newId } = saver
  const { bytes, thumb, ...known } = photo
  const type = photoTypeOf(bytes)
  if (!type) throw new Error('savePhoto: no photo')
  const key = newId()
  await table.put(key, bytes, { thumb })
  const plain = photoName(photo.name, fileStamp(clock.now()), type)
  const save = newSave(saver)
  const doc = await db.photos.insert({
    ...known,
    key,
    name: uniquePhotoName(plain, await namesOf(db, photo)),
    createDate: toTokyoIso(clock.now()),
    size: bytes.byteLength,
    type,
    wanted: 'kept',
    fileSeq: '',
    folderId: '',
    storeName: '',
    bytesAsked: 'no',
    ...save,
    unsent: 'yes',
  })
  // two saves at the same time do not see each other's name: the later one gives way
  const rivals = await db.photos
    .find({ selector: { recordKey: doc.recordKey, resource: doc.resource } })
    .exec()
  if (rivals.some(({ name, stamp }) => name === doc.name && stamp < save.stamp)) {
    const name = uniquePhotoName(plain, await namesOf(db, photo))
    await doc.incrementalModify((latest) => withUnsent({ ...latest, name }))
  }
  return key
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
