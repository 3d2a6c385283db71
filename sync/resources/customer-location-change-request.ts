/** How change requests about entry and parking are sent to the CRM and read from it (crm-contract 4). */
import { RegistrationStatus } from '#schemas/codes.ts'
import { listOwners, namedIds } from '#schemas/collections/prefetch.ts'
import {
  customerLocationChangeRequest,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import { createAndEdit, declaredRow } from './declared-resource.ts'
import { readNamed } from './read-back.ts'
import { namedSource, ofOneRequest, type PullResource } from './resource.ts'

const { path } = customerLocationChangeRequest

export const customerLocationChangeRequests = createAndEdit(
  customerLocationChangeRequest,
  (record, fields, read) =>
    readNamed(read, customerLocationChangeRequest, record, fields, (row) =>
      row.customerLocationChangeStatus === RegistrationStatus.code.registered
        ? row.customerLocationChangeRequest?.id
        : undefined,
    ),
)

export const customerLocationPull: PullResource<CustomerLocationRecord> = {
  ...ofOneRequest(path),
  source: namedSource(path, namedIds.customerLocationChangeRequests),
  owners: listOwners.customerLocationChangeRequests,
  row: declaredRow(customerLocationChangeRequest, (_, { owner: requestId }) => ({
    blank: { key: requestId, requestId, workingDate: '' },
  })),
}
