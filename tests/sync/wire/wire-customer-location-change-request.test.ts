import { expect, test } from 'vitest'
import { wireOf } from '#schemas/declare/derive.ts'
import {
  customerLocationChangeRequest,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import { bodyOf, isOurs } from '#sync/wire/declared.ts'

const record: CustomerLocationRecord = {
  key: 'r1',
  requestId: 'r1',
  workingDate: '',
  serverId: '',
  changes: [],
  unsent: 'yes',
}
const fields = { parkingType: '2', parkingMethod: null, inMethod: '裏口' }
const wire = wireOf(customerLocationChangeRequest).assert({
  id: 'c1',
  parkingType: 2,
  parkingMethod: '',
  inMethod: '裏口',
})

test('[contract 2] what says nothing is sent as null', () => {
  const body = bodyOf(
    customerLocationChangeRequest,
    'create',
    record,
    { ...fields, parkingMethod: '' },
    'ss-1',
  )
  expect(body).toEqual({ ...fields, requestId: 'r1', loginUserId: 'ss-1' })
})

test.each([
  [fields, true],
  [{ ...fields, parkingType: '1' }, false],
  [{ ...fields, inMethod: '正面' }, false],
])('[OC3] %j is what the CRM holds: %s', (sent, ours) =>
  expect(isOurs(customerLocationChangeRequest, record, sent, wire)).toBe(ours),
)
