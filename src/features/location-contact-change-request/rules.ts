/** The rules of 入館連絡先変更依頼 and 退館連絡先変更依頼 (spec 2, 4, 5). */
import { RegistrationStatus } from '#schemas/codes.ts'
import type { ContactTypeCode } from '#schemas/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { registration, type ChangeRequest } from '#data/change-requests.ts'

export type ContactChange = ChangeRequest<'locationContactChangeRequests'>

/** Why none can be registered, as the message says it: the request has no contact, or there is one, or there may be none. */
export function addBar(
  request: RequestRecord,
  contactType: ContactTypeCode,
  change: ContactChange | undefined,
): 'ec00026' | null {
  const { status } = registration(request, contactType, change)
  return status === RegistrationStatus.code.unregistered ? null : 'ec00026'
}
