import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeDraft,
  type ContactChangeRecord,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { contentOfDraft } from '#schemas/declare/form-values.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'

/** Saves a contact's 変更依頼, of which a request has one for each type. @param seen the record in the form */
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
