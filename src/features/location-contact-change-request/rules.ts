/** Rules of 入館連絡先変更依頼 and 退館連絡先変更依頼 (spec 2, 4, 5). */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { ContactTypeCode } from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { registration, type ChangeRequest } from '#data/resources/change-requests.ts'

export type ContactChange = ChangeRequest<'locationContactChangeRequests'>

/**
 * Returns the message key if no change request can be registered, because the request has no contact, a change request
 * exists, or because it is not allowed; else null.
 */
export function contactChangeBar(
  request: RequestRecord,
  contactType: ContactTypeCode,
  change: ContactChange | undefined,
): 'ec00026' | null {
  const { status } = registration(request, contactType, change)
  return status === RegistrationStatus.code.unregistered ? null : 'ec00026'
}
