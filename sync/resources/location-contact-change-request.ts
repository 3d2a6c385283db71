/** How change requests about the contacts for entry and exit are sent and read (crm-contract 4). */
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeRecord,
} from '#schemas/resources/location-contact-change-request.ts'
import { listOwners, namedIds } from '#schemas/collections/prefetch.ts'
import type { RequestWire } from '#schemas/resources/request.ts'
import { isOurs } from '../wire/declared.ts'
import { createAndEdit } from './create-and-edit.ts'
import { declaredRow } from './declared-pull.ts'
import { namedByNewest, newestOf, requestIdIn, type PullResource } from './pull-resource.ts'
import { readNamed, readRequestRow } from './read-back.ts'

const { path } = locationContactChangeRequest
const wire = wireOf(locationContactChangeRequest)

export const locationContactChangeRequests = createAndEdit(
  locationContactChangeRequest,
  async (record, fields, read) => {
    const found = await readRequestRow(read, record.requestId)
    if (found.kind !== 'row') return found
    const id = registeredId(found.row, record.contactType)
    return readNamed(read, path, id, wire, (row) => isOurs(locationContactChangeRequest, record, fields, row))
  },
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
  source: {
    kind: 'named',
    path,
    ids: ({ requests }) => namedByNewest(requests, namedIds.locationContactChangeRequests),
    asOf: ({ requests }) => newestOf(requests)?.readStamp ?? '',
  },
  owners: listOwners.locationContactChangeRequests,
  lifetime: 'lists',
  because: ({ rowDigest }) => rowDigest,
  localSelector: (requestId) => ({ requestId }),
  ownerOf: ({ requestId }) => requestId,
  one: { path, ownerIn: requestIdIn },
  row: declaredRow(locationContactChangeRequest, ({ id, type }, { owner: requestId, requests }) => {
    const { entry, exit } = ContactType.code
    const isEntry = newestOf(requests)?.inLocationContactChangeRequestId === id
    // The request says which of the two it is; for one that was just created, the row does. A code may be a
    // number (crm-contract 2), and 02 is then 2.
    const contactType = isEntry || Number(type) === Number(entry) ? entry : exit
    return {
      blank: { key: contactChangeKey(requestId, contactType), requestId, workingDate: '', contactType },
    }
  }),
}
