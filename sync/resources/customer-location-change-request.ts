/** How change requests about entry and parking are sent and read (crm-contract 4). */
import { RegistrationStatus } from '#schemas/codes.ts'
import {
  customerLocationChangeRequest,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { listOwners, namedIds } from '#schemas/collections/prefetch.ts'
import { isOurs } from '../wire/declared.ts'
import { createAndEdit } from './create-and-edit.ts'
import { declaredRow } from './declared-pull.ts'
import { namedByNewest, newestOf, requestIdIn, type PullResource } from './pull-resource.ts'
import { readNamed, readRequestRow } from './read-back.ts'

const { path } = customerLocationChangeRequest
const wire = wireOf(customerLocationChangeRequest)

export const customerLocationChangeRequests = createAndEdit(
  customerLocationChangeRequest,
  async (record, fields, read) => {
    const found = await readRequestRow(read, record.requestId)
    if (found.kind !== 'row') return found
    const { customerLocationChangeStatus: status, customerLocationChangeRequest: named } = found.row
    const id = status === RegistrationStatus.code.registered ? named?.id : undefined
    return readNamed(read, path, id, wire, (row) =>
      isOurs(customerLocationChangeRequest, record, fields, row),
    )
  },
)

export const customerLocationPull: PullResource<CustomerLocationRecord> = {
  source: {
    kind: 'named',
    path,
    ids: ({ requests }) => namedByNewest(requests, namedIds.customerLocationChangeRequests),
    asOf: ({ requests }) => newestOf(requests)?.readStamp ?? '',
  },
  owners: listOwners.customerLocationChangeRequests,
  lifetime: 'lists',
  because: ({ rowDigest }) => rowDigest,
  localSelector: (requestId) => ({ requestId }),
  ownerOf: ({ requestId }) => requestId,
  one: { path, ownerIn: requestIdIn },
  row: declaredRow(customerLocationChangeRequest, (_, { owner: requestId }) => ({
    blank: { key: requestId, requestId, workingDate: '' },
  })),
}
