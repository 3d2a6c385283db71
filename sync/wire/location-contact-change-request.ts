/** Change requests about contacts between device and CRM (crm-contract 4): pure mappings. */
import type {
  ContactChangeRecord,
  ContactChangeServer,
  ContactChangeWire,
  ContactContent,
} from '#schemas/location-contact-change-request.ts'
import { nullsFor, orNull, sameWhereRead } from './fields.ts'

/** Body of `POST locationContactChangeRequest/`, and of its `PUT`: absent is null there (crm-contract 2). */
export const contentBody = (
  { requestId, contactType }: ContactChangeRecord,
  fields: ContactContent,
  loginUserId: string,
) => ({ requestId, type: contactType, ...nullsFor(fields), loginUserId })

export const serverFromWire = (wire: ContactChangeWire): Omit<ContactChangeServer, 'stamp'> => ({
  id: wire.id,
  detailed: true,
  name: orNull(wire.name),
  kana: orNull(wire.kana),
  section: orNull(wire.section),
  class: orNull(wire.class),
  staffName: orNull(wire.staffName),
  means: orNull(wire.means),
  email: orNull(wire.email),
  tel1: orNull(wire.tel1),
  editStatus: orNull(wire.editStatus),
})

/** Fields that only the CRM knows, before it was read. */
export const UNREAD = { editStatus: null }

export const isOurs = (sent: ContactContent, wire: ContactChangeWire) =>
  sameWhereRead(sent, serverFromWire(wire))
