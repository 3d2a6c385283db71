/** Change requests about entry and parking, and about the contacts for entry and exit, named in a request's row. */
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import { listOwners, namedIds } from '#schemas/collections/prefetch.ts'
import {
  customerLocationChangeRequest,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeRecord,
} from '#schemas/resources/location-contact-change-request.ts'
import { createAndEdit, declaredRow } from './declared-resource.ts'
import { namedSource, newestOf, ofOneRequest, readNamed, type PullResource } from './resource.ts'

type Named = { id: string } | null | undefined

/** The id that a request's row names; undefined if it is not registered. */
const registeredId = (status: string | null | undefined, named: Named) =>
  status === RegistrationStatus.code.registered ? named?.id : undefined

export const customerLocationChangeRequests = createAndEdit(
  customerLocationChangeRequest,
  (record, fields, read) =>
    readNamed(read, customerLocationChangeRequest, record, fields, (row) =>
      registeredId(row.customerLocationChangeStatus, row.customerLocationChangeRequest),
    ),
)

export const customerLocationPull: PullResource<CustomerLocationRecord> = {
  ...ofOneRequest(customerLocationChangeRequest.path),
  source: namedSource(customerLocationChangeRequest.path, namedIds.customerLocationChangeRequests),
  owners: listOwners.customerLocationChangeRequests,
  row: declaredRow(customerLocationChangeRequest, (_, { owner: requestId }) => ({
    blank: { key: requestId, requestId, workingDate: '' },
  })),
}

export const locationContactChangeRequests = createAndEdit(
  locationContactChangeRequest,
  (record, fields, read) =>
    readNamed(read, locationContactChangeRequest, record, fields, (row) =>
      record.contactType === ContactType.code.entry
        ? registeredId(row.inLocationContactChangeStatus, row.inLocationContactChangeRequest)
        : registeredId(row.outLocationContactChangeStatus, row.outLocationContactChangeRequest),
    ),
)

export const contactChangePull: PullResource<ContactChangeRecord> = {
  ...ofOneRequest(locationContactChangeRequest.path),
  source: namedSource(locationContactChangeRequest.path, namedIds.locationContactChangeRequests),
  owners: listOwners.locationContactChangeRequests,
  row: declaredRow(locationContactChangeRequest, ({ id, type }, { owner: requestId, requests }) => {
    const { entry, exit } = ContactType.code
    const isEntry = newestOf(requests)?.inLocationContactChangeRequestId === id
    // A new change request is not in the request's row yet, so its own `type` counts too: 2 or 02 (crm-contract 2).
    const contactType = isEntry || Number(type) === Number(entry) ? entry : exit
    const key = contactChangeKey(requestId, contactType)
    return { blank: { key, requestId, workingDate: '', contactType } }
  }),
}
