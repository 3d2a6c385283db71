/** Change requests about entry and parking, at most one per request (ec00030; spec 3, crm-contract 4). */
import { ParkingType } from '#schemas/codes.ts'
import type { Declaration, DraftOf, RecordOf } from '#schemas/declare/declare.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'

/** The record's key is the request's id. */
export const customerLocationChangeRequest = {
  slug: 'customerLocationChangeRequest',
  path: 'customerLocationChangeRequest',
  fields: {
    parkingType: { kind: 'code', table: ParkingType },
    parkingMethod: { kind: 'text', max: PARKING_METHOD_MAX },
    inMethod: { kind: 'text', max: IN_METHOD_MAX, required: true },
  },
  crmOnlyFields: { editStatus: 'text' },
  codeNames: { parkingType: 'parkingTypeName' },
  names: { 'requestId?': 'text' },
  own: {},
  kinds: ['create', 'edit'],
  sends: { create: { requestId: 'requestId' }, edit: { requestId: 'requestId' } },
  // A read-back finds the created record by the id in the request's row, so only the content is compared.
  identity: { required: [], ifReturned: [], content: 'all' },
  refusesSecond: true,
  owner: 'requestId',
  list: 'own',
  together: [],
  editedByOthers: true,
  offline: { add: 'open-forms', edit: 'needs-signal' },
  indexes: ['serverId', 'requestId'],
} as const satisfies Declaration

export type CustomerLocationRecord = RecordOf<typeof customerLocationChangeRequest>
export type CustomerLocationDraft = DraftOf<typeof customerLocationChangeRequest>
