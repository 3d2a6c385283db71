/**
 * Restores a locked photo: under its record's current key, and only once for each file in the file store. If
 * the file was changed again meanwhile, the later change wins.
 */
import { progressOf, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Database } from '#data/database/database.ts'
import { recordOfPhoto } from '#data/photos/photos.ts'

export async function putPhoto(db: Database, locked: PhotoRecord): Promise<void> {
  const { resource, key, fileSeq, folderId } = locked
  const recordKey = (await recordOfPhoto(db, locked)) ?? locked.recordKey
  const ofRecord = await db.photos.find({ selector: { recordKey, resource } }).exec()
  const isSameFile = (photo: PhotoRecord) => photo.fileSeq === fileSeq && photo.folderId === folderId
  const existing =
    (await db.photos.findOne(key).exec()) ?? (fileSeq === '' ? null : (ofRecord.find(isSameFile) ?? null))
  const doc = existing ?? (await db.photos.insertIfNotExists({ ...locked, recordKey }))
  if (locked.unsent === 'no' || fileSeq === '') return
  await doc.incrementalModify((photo) =>
    photo.stamp < locked.stamp ? withUnsent({ ...photo, ...askedOf(locked) }) : photo,
  )
}

const askedOf = (back: PhotoRecord) => {
  const { name, wanted, stamp, savedAt, userId, offline } = back
  return { name, wanted, stamp, savedAt, userId, offline, ...progressOf(back) }
}
