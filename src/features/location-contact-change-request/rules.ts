/** The rules of 入館連絡先変更依頼 and 退館連絡先変更依頼 (spec 2, 4, 5). */
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import type { ContactContent, ContactTypeCode } from '#schemas/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { registration, type ChangeRequest } from '#data/change-requests.ts'

export type ContactChange = ChangeRequest<'locationContactChangeRequests'>

/** The form as it is typed: '' is nothing typed yet. */
export type ContactInput = Record<keyof ContactContent, string>

/** The contact that the request has now, for the entry or the exit. */
const contactOf = (request: RequestRecord, contactType: ContactTypeCode) =>
  contactType === ContactType.code.entry ? request.inLocationContact : request.outLocationContact

/** Why none can be registered, as the message says it: the request has no contact, or there is one, or there may be none. */
export function addBar(
  request: RequestRecord,
  contactType: ContactTypeCode,
  change: ContactChange | undefined,
): 'ec00026' | null {
  const { status } = registration(request, contactType, change)
  const isOpen = status === RegistrationStatus.code.unregistered && contactOf(request, contactType) !== null
  return isOpen ? null : 'ec00026'
}

export const inputOf = (content: Partial<ContactContent> = {}): ContactInput => ({
  name: content.name ?? '',
  kana: content.kana ?? '',
  section: content.section ?? '',
  class: content.class ?? '',
  staffName: content.staffName ?? '',
  means: content.means ?? '',
  email: content.email ?? '',
  tel1: content.tel1 ?? '',
})
