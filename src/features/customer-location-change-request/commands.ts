import type { CustomerLocationDraft } from '#schemas/customer-location-change-request.ts'
import { addChange, filled, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes.ts'

/** 入館・駐車場情報変更依頼 of a request: at most one, made or changed. */
export async function saveCustomerLocation(
  saver: Saver,
  requestId: string,
  draft: CustomerLocationDraft,
): Promise<void> {
  const collection = saver.db.customerLocationChangeRequests
  const there = await collection.findOne(requestId).exec()
  const kind = await kindOfSave(saver.db, there?.toMutableJSON() ?? null)
  const blank = { key: requestId, requestId, workingDate: '', ...NOTHING_SENT }
  await addChange(collection, blank, newChange(saver, kind, filled(draft)))
}
