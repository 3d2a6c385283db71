/** Rules of 入館連絡先変更依頼 and 退館連絡先変更依頼 (spec 2, 4, 5). */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { registration, type ChangeRequest } from '#data/resources/change-requests.ts'

export type ContactChange = ChangeRequest<'locationContactChangeRequests'>

/**
 * Returns the message key of the reason why no change request can be registered: the request has no contact, has a
 * change request already, or does not allow one. Null if it can.
 */
export function contactChangeBar(
  request: RequestRecord,
  contactType: ContactTypeCode,
  change: ContactChange | undefined,
): 'ec00026' | null {
  const { status } = registration(request, contactType, change)
  return status === RegistrationStatus.code.unregistered ? null : 'ec00026'
}
