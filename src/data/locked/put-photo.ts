/**
 * Puts a photo that was locked where it belongs: with its record, whatever its key is by now, and one for each file of the
 * file store. What was asked for of a file last is what counts.
 */
import { progressOf, withUnsent } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Database } from '#data/database/database.ts'
import { recordOfPhoto } from '#data/photos/record-of-photo.ts'

export async function putPhoto(db: Database, back: PhotoRecord): Promise<void> {
  const { resource, key, fileSeq, folderId } = back
  const recordKey = (await recordOfPhoto(db, back)) ?? back.recordKey
  const ofRecord = await db.photos.find({ selector: { recordKey, resource } }).exec()
  const isSameFile = (photo: PhotoRecord) => photo.fileSeq === fileSeq && photo.folderId === folderId
  const there =
    (await db.photos.findOne(key).exec()) ?? (fileSeq === '' ? null : (ofRecord.find(isSameFile) ?? null))
  const doc = there ?? (await db.photos.insertIfNotExists({ ...back, recordKey }))
  if (back.unsent === 'no' || fileSeq === '') return
  await doc.incrementalModify((photo) =>
    photo.stamp < back.stamp ? withUnsent({ ...photo, ...askedOf(back) }) : photo,
  )
}

const askedOf = (back: PhotoRecord) => {
  const { name, wanted, stamp, savedAt, userId, offline } = back
  return { name, wanted, stamp, savedAt, userId, offline, ...progressOf(back) }
}
