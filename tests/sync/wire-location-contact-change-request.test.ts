import { expect, test } from 'vitest'
import { contactChangeWire, type ContactChangeRecord } from '#schemas/location-contact-change-request.ts'
import { contentBody, isOurs } from '#sync/wire/location-contact-change-request.ts'

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
const wire = contactChangeWire.assert({ id: 'c1', type: '03', ...fields })

test('[contract 4] the type is 02 or 03 on the wire', () => {
  expect(contentBody(record, fields, 'ss-1')).toEqual({
    ...fields,
    requestId: 'r1',
    type: '03',
    loginUserId: 'ss-1',
  })
})

test.each([
  [fields, true],
  [{ ...fields, tel1: '03-5550-0100' }, false],
])('[OC3] %j is what the CRM holds: %s', (sent, ours) => expect(isOurs(sent, wire)).toBe(ours))
