/**
 * How change requests about the contacts for entry and exit are sent to the CRM and read from it (crm-contract 4).
 */
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

/** Id of the registered change request for entry or exit in a request's row; undefined if none is registered. */
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
    // A request's row does not yet name a change request that was just created, so the change request's own `type` is
    // used too. It may be the number 2 or the text 02 (crm-contract 2).
    const contactType = isEntry || Number(type) === Number(entry) ? entry : exit
    return {
      blank: { key: contactChangeKey(requestId, contactType), requestId, workingDate: '', contactType },
    }
  }),
}
