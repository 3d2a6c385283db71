/** How change requests about the contacts for entry and exit are sent and read (crm-contract 4). */
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import { listOwners, namedIds } from '#schemas/collections/prefetch.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeRecord,
} from '#schemas/resources/location-contact-change-request.ts'
import type { RequestWire } from '#schemas/resources/request.ts'
import { createAndEdit, declaredRow } from './declared-resource.ts'
import { readNamed } from './read-back.ts'
import { namedSource, newestOf, ofOneRequest, type PullResource } from './resource.ts'

const { path } = locationContactChangeRequest

export const locationContactChangeRequests = createAndEdit(
  locationContactChangeRequest,
  (record, fields, read) =>
    readNamed(read, locationContactChangeRequest, record, fields, (row) =>
      registeredId(row, record.contactType),
    ),
)

/** Id of the change request that the row names for the entry or exit; undefined unless it is registered. */
function registeredId(row: RequestWire, contactType: ContactChangeRecord['contactType']) {
  const [status, named] =
    contactType === ContactType.code.entry
      ? [row.inLocationContactChangeStatus, row.inLocationContactChangeRequest]
      : [row.outLocationContactChangeStatus, row.outLocationContactChangeRequest]
  return status === RegistrationStatus.code.registered ? named?.id : undefined
}

export const contactChangePull: PullResource<ContactChangeRecord> = {
  ...ofOneRequest(path),
  source: namedSource(path, namedIds.locationContactChangeRequests),
  owners: listOwners.locationContactChangeRequests,
  row: declaredRow(locationContactChangeRequest, ({ id, type }, { owner: requestId, requests }) => {
    const { entry, exit } = ContactType.code
    const isEntry = newestOf(requests)?.inLocationContactChangeRequestId === id
    // The request names its change request for the entry. It does not name one that was just created, so the row's
    // own type counts as well. A code may be a number (crm-contract 2), and 02 is then 2.
    const contactType = isEntry || Number(type) === Number(entry) ? entry : exit
    return {
      blank: { key: contactChangeKey(requestId, contactType), requestId, workingDate: '', contactType },
    }
  }),
}
