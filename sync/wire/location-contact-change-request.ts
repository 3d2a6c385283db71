/** Change requests about contacts between device and CRM (crm-contract 4): pure mappings. */
import type {
  ContactChangeRecord,
  ContactChangeServer,
  ContactChangeWire,
  ContactContent,
} from '#schemas/location-contact-change-request.ts'
import { changedFields, nullsFor, orNull, sameWhereRead } from './fields.ts'

/** Body of `POST locationContactChangeRequest/`. */
export const createBody = (
  { requestId, contactType }: ContactChangeRecord,
  fields: ContactContent,
  loginUserId: string,
) => ({ requestId, type: contactType, ...nullsFor(fields), loginUserId })

/** Body of `PUT locationContactChangeRequest/{id}`: the changed fields. */
export const editBody = (
  { contactType, server }: ContactChangeRecord,
  fields: ContactContent,
  loginUserId: string,
) => ({ type: contactType, ...changedFields(fields, server), loginUserId })

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
