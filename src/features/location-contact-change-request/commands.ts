import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeDraft,
  type ContactChangeRecord,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { contentOfDraft } from '#schemas/declare/form-values.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'

/**
 * Saves 入館連絡先変更依頼 (02) or 退館連絡先変更依頼 (03). A request has at most one record of each: the first save creates it,
 * later saves change it.
 * @param seen the record that the form was opened with; null if there was no record
 */
export async function saveContactChange(
  saver: Saver,
  requestId: string,
  contactType: ContactTypeCode,
  draft: ContactChangeDraft,
  seen: ContactChangeRecord | null,
): Promise<void> {
  const collection = 'locationContactChangeRequests'
  const key = contactChangeKey(requestId, contactType)
  const kind = await kindOfSave(saver.db, { collection, key }, seen)
  const blank = { key, requestId, workingDate: '', contactType, ...NOTHING_SENT }
  await addChange(
    saver.db,
    collection,
    seen ?? blank,
    newChange(saver, kind, contentOfDraft(locationContactChangeRequest, draft)),
  )
}
