import { expect, test } from 'vitest'
import { wireOf } from '#schemas/declare/derive.ts'
import {
  locationContactChangeRequest,
  type ContactChangeRecord,
} from '#schemas/resources/location-contact-change-request.ts'
import { contactChangePull } from '#sync/resources/own-rules.ts'
import { bodyOf, isOurs } from '#sync/wire/declared.ts'

const record: ContactChangeRecord = {
  key: 'r1_03',
  requestId: 'r1',
  workingDate: '',
  contactType: '03',
  serverId: '',
  changes: [],
  unsent: 'yes',
}
const fields = {
  name: '警備室',
  kana: 'ｹｲﾋﾞｼﾂ',
  section: null,
  class: '隊長',
  staffName: null,
  means: null,
  email: null,
  tel1: '03-5550-0199',
}
const wire = wireOf(locationContactChangeRequest).assert({ id: 'c1', type: '03', ...fields })

test('[contract 4] the type is 02 or 03 on the wire', () => {
  expect(bodyOf(locationContactChangeRequest, 'create', record, fields, 'ss-1')).toEqual({
    ...fields,
    requestId: 'r1',
    type: '03',
    loginUserId: 'ss-1',
  })
})

test.each([
  [fields, true],
  [{ ...fields, tel1: '03-5550-0100' }, false],
])('[OC3] %j is what the CRM holds: %s', (sent, ours) =>
  expect(isOurs(locationContactChangeRequest, record, sent, wire)).toBe(ours),
)

test.each([
  ['02', 'r1_02'],
  ['03', 'r1_03'],
  [2, 'r1_02'],
  [3, 'r1_03'],
  ['2', 'r1_02'],
])('[contract 2] read by its id, type %j is a code however it is written: %s', (type, key) => {
  const row = contactChangePull.row(
    { ...fields, id: 'c1', requestId: 'r1', type },
    { owner: 'r1', requests: [] },
  )
  expect(row).toMatchObject({ id: 'c1', key })
})
