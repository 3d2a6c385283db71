/** Change requests about entry and parking between device and CRM (crm-contract 4): pure mappings. */
import type {
  CustomerLocationContent,
  CustomerLocationRecord,
  CustomerLocationServer,
  CustomerLocationWire,
} from '#schemas/customer-location-change-request.ts'
import { nullsFor, orNull, sameWhereRead } from './fields.ts'

/** Body of `POST customerLocationChangeRequest/`, and of its `PUT`: absent is null there (crm-contract 2). */
export const contentBody = (
  { requestId }: CustomerLocationRecord,
  fields: CustomerLocationContent,
  loginUserId: string,
) => ({ requestId, ...nullsFor(fields), loginUserId })

export const serverFromWire = (wire: CustomerLocationWire): Omit<CustomerLocationServer, 'stamp'> => ({
  id: wire.id,
  detailed: true,
  parkingType: orNull(wire.parkingType),
  parkingMethod: orNull(wire.parkingMethod),
  inMethod: orNull(wire.inMethod),
  editStatus: orNull(wire.editStatus),
})

/** Fields that only the CRM knows, before it was read. */
export const UNREAD = { editStatus: null }

export const isOurs = (sent: CustomerLocationContent, wire: CustomerLocationWire) =>
  sameWhereRead(sent, serverFromWire(wire))
