/**
 * Drafts of forms that nobody has touched for a day go, with the photos taken for them (RULES EX1, decisions/drafts):
 * what they hang on goes after them. A save that has begun is ended at the next start, and never expires. A signature goes
 * after its visit, and does not hold it on the device.
 */
import { visitOfSignature } from '#schemas/resources/visit-key.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { PhotoBytes } from '../photos/ports.ts'

/** @param touchedBefore what was stamped before this is a day old whatever was done to the clock (EX3), epoch ms */
export async function expireDrafts(
  db: SyncDatabase,
  bytes: Pick<PhotoBytes, 'remove'> | undefined,
  touchedBefore: number,
): Promise<void> {
  for (const doc of await db.drafts.find().exec()) {
    const { saving, photos, _meta } = doc.toMutableJSON(true)
    if (saving !== '' || _meta.lwt >= touchedBefore) continue
    const visit = visitOfSignature(doc.key)
    if (visit !== null && (await db.requests.findOne(visit).exec())) continue
    // one that is touched in this moment is another revision: it stays
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
