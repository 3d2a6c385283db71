/** How change requests about the contacts for entry and exit travel (crm-contract 4). */
import { type } from 'arktype'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import {
  contactChangeKey,
  contactChangeWire,
  type ContactChangeRecord,
  type ContactChangeServer,
  type ContactContent,
} from '#schemas/location-contact-change-request.ts'
import { listOwners } from '#schemas/prefetch.ts'
import type { RequestWire } from '#schemas/request.ts'
import { contentBody, isOurs, serverFromWire, UNREAD } from '../wire/location-contact-change-request.ts'
import { createAndEdit } from './create-and-edit.ts'
import { newestOf, requestIdIn, type PullResource } from './pull-resource.ts'
import { parsing, readNamed, readRequestRow } from './read-back.ts'

interface Content {
  fields: ContactContent
  server: ContactChangeServer
}
const path = 'locationContactChangeRequest'

export const locationContactChangeRequests = createAndEdit<ContactChangeRecord, Content>({
  path,
  createBody: contentBody,
  refusesSecond: true,
  edit: { body: contentBody, parse: parsing(contactChangeWire, serverFromWire) },
  async readBack({ requestId, contactType }, fields, read) {
    const found = await readRequestRow(read, requestId)
    if (found.kind !== 'row') return found
    const id = registeredId(found.row, contactType)
    return readNamed(read, path, id, contactChangeWire, (row) => isOurs(fields, row))
  },
  unread: UNREAD,
})

/** The change request that the row names for the entry or the exit; none where its status is another. */
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
    ids({ requests }) {
      const { inLocationContactChangeRequestId: entry, outLocationContactChangeRequestId: exit } =
        newestOf(requests) ?? {}
      return [entry ?? [], exit ?? []].flat()
    },
    asOf: ({ requests }) => newestOf(requests)?.readStamp ?? '',
  },
  owners: listOwners.locationContactChangeRequests,
  kept: 'lists',
  because: ({ rowDigest }) => rowDigest,
  localSelector: (requestId) => ({ requestId }),
  ownerOf: ({ requestId }) => requestId,
  one: { path, ownerIn: requestIdIn },
  row(raw, { owner: requestId, requests }) {
    const wire = contactChangeWire(raw)
    if (wire instanceof type.errors) return wire
    const { entry, exit } = ContactType.code
    const isEntry = newestOf(requests)?.inLocationContactChangeRequestId === wire.id
    // the request says which of the two it is; for one that was just made here, the record itself does
    const contactType = isEntry || wire.type === entry ? entry : exit
    const key = contactChangeKey(requestId, contactType)
    const blank = { key, requestId, workingDate: '', contactType, changes: [], unsent: 'no' as const }
    return {
      id: wire.id,
      key,
      record: (local, stamp) => ({
        ...(local ?? blank),
        serverId: wire.id,
        server: { ...serverFromWire(wire), stamp },
      }),
    }
  },
}
