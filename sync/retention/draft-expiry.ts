/**
 * Deletes drafts that were not changed for a day, with their photos (RULES EX1, decisions/drafts). The
 * records that they belong to expire after them. A draft whose save has begun never expires, because the next
 * start completes the save. The draft of a signature or a sheet expires with its visit, and the record of a
 * day's photos with the visits of that day; none of them retains a visit on the device. The user's own sentences stay
 * until the logout.
 */
import { dayOfPhotoChain, PHRASES_DRAFT, visitOfDraft } from '#schemas/resources/visit-key.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { PhotoBytes } from '../photos/ports.ts'

/**
 * @param touchedBefore what was stamped before this time is a day old, whatever was done to the clock (EX3),
 * epoch ms
 */
export async function expireDrafts(
  db: SyncDatabase,
  bytes: Pick<PhotoBytes, 'remove'> | undefined,
  touchedBefore: number,
): Promise<void> {
  for (const doc of await db.drafts.find().exec()) {
    const { saving, photos, _meta } = doc.toMutableJSON(true)
    if (saving !== '' || _meta.lwt >= touchedBefore || doc.key === PHRASES_DRAFT) continue
    if (await belongsToVisit(db, doc.key)) continue
    // The removal fails if the draft has just been changed: it stays.
    const isGone = await doc.remove().then(
      () => true,
      () => false,
    )
    if (!isGone) continue
    const keys = photos.map(({ key }) => key)
    const saved = await db.photos.findByIds(keys).exec()
    for (const key of keys) if (!saved.has(key)) await bytes?.remove(key)
  }
}

/** True if the draft belongs to a visit that is on the device. */
async function belongsToVisit({ requests }: SyncDatabase, key: string): Promise<boolean> {
  const visit = visitOfDraft(key)
  const workingDate = dayOfPhotoChain(key)
  if (visit === null && workingDate === null) return false
  const selector = visit === null ? { workingDate: workingDate ?? '' } : { key: visit }
  return (await requests.findOne({ selector }).exec()) !== null
}
