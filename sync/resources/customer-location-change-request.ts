/** How change requests about entry and parking travel (crm-contract 4). */
import { type } from 'arktype'
import { RegistrationStatus } from '#schemas/codes.ts'
import {
  customerLocationWire,
  type CustomerLocationContent,
  type CustomerLocationRecord,
  type CustomerLocationServer,
} from '#schemas/customer-location-change-request.ts'
import { listOwners } from '#schemas/prefetch.ts'
import { contentBody, isOurs, serverFromWire, UNREAD } from '../wire/customer-location-change-request.ts'
import { createAndEdit } from './create-and-edit.ts'
import { newestOf, requestIdIn, type PullResource } from './pull-resource.ts'
import { parsing, readNamed, readRequestRow } from './read-back.ts'

interface Content {
  fields: CustomerLocationContent
  server: CustomerLocationServer
}
const path = 'customerLocationChangeRequest'

export const customerLocationChangeRequests = createAndEdit<CustomerLocationRecord, Content>({
  path,
  createBody: contentBody,
  refusesSecond: true,
  edit: { body: contentBody, parse: parsing(customerLocationWire, serverFromWire) },
  async readBack({ requestId }, fields, read) {
    const found = await readRequestRow(read, requestId)
    if (found.kind !== 'row') return found
    const { customerLocationChangeStatus: status, customerLocationChangeRequest: named } = found.row
    const id = status === RegistrationStatus.code.registered ? named?.id : undefined
    return readNamed(read, path, id, customerLocationWire, (row) => isOurs(fields, row))
  },
  unread: UNREAD,
})

export const customerLocationPull: PullResource<CustomerLocationRecord> = {
  source: {
    kind: 'named',
    path,
    ids: ({ requests }) => [newestOf(requests)?.customerLocationChangeRequestId ?? []].flat(),
    asOf: ({ requests }) => newestOf(requests)?.readStamp ?? '',
  },
  owners: listOwners.customerLocationChangeRequests,
  kept: 'lists',
  because: ({ rowDigest }) => rowDigest,
  localSelector: (requestId) => ({ requestId }),
  ownerOf: ({ requestId }) => requestId,
  one: { path, ownerIn: requestIdIn },
  row(raw, { owner: requestId }) {
    const wire = customerLocationWire(raw)
    if (wire instanceof type.errors) return wire
    const blank = { key: requestId, requestId, workingDate: '', changes: [], unsent: 'no' as const }
    return {
      id: wire.id,
      key: requestId,
      record: (local, stamp) => ({
        ...(local ?? blank),
        serverId: wire.id,
        server: { ...serverFromWire(wire), stamp },
      }),
    }
  },
}
