import { photoName, uniquePhotoName } from '#schemas/resources/photo-name.ts'
import { savedAnew } from '#schemas/changes/photo-queue.ts'
import type { Saver } from '#data/changes/changes.ts'
import { fileStamp } from '#lib/time/tokyo-time.ts'

/** Renames a saved photo, as a save does whose name another one has taken at the same time. */
export async function renamePhoto(
  { db, clock, userId, offline }: Saver,
  key: string,
  name: string,
): Promise<void> {
  const doc = await db.photos.findOne(key).exec()
  if (!doc) return
  const { resource, recordKey, type } = doc
  const plain = photoName(name, fileStamp(clock.now()), type || 'image/jpeg')
  const others = (await db.photos.find({ selector: { recordKey, resource } }).exec())
    .filter((other) => other.key !== key)
    .flatMap((other) => [other.name, other.storeName])
  const save = { stamp: clock.stamp(), savedAt: new Date(clock.now()).toISOString(), userId, offline }
  await doc.incrementalModify((photo) => savedAnew(photo, { name: uniquePhotoName(plain, others), ...save }))
}
