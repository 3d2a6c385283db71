import {
  customerLocationChangeRequest,
  type CustomerLocationDraft,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import { contentOfDraft } from '#schemas/declare/form-values.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'

/** Saves 入館・駐車場情報変更依頼. A request has at most one: the first save creates it. @param seen the record in the form */
export async function saveCustomerLocation(
  saver: Saver,
  requestId: string,
  draft: CustomerLocationDraft,
  seen: CustomerLocationRecord | null,
): Promise<void> {
  const collection = 'customerLocationChangeRequests'
  const kind = await kindOfSave(saver.db, { collection, key: requestId }, seen)
  const blank = { key: requestId, requestId, workingDate: '', ...NOTHING_SENT }
  await addChange(
    saver.db,
    collection,
    seen ?? blank,
    newChange(saver, kind, contentOfDraft(customerLocationChangeRequest, draft)),
  )
}
