import { expect, test } from 'vitest'
import { wireOf } from '#schemas/declare/derive.ts'
import { emergencyReport, type EmergencyReportRecord } from '#schemas/resources/emergency-report.ts'
import { emptyContent } from '#schemas/declare/form-values.ts'
import { bodyOf, isOurs } from '#sync/wire/declared.ts'

const record: EmergencyReportRecord = {
  key: 'c1',
  requestId: 'r1',
  workingDate: '2026-11-20',
  serverId: '',
  changes: [],
  unsent: 'yes',
}
const fields = {
  ...emptyContent(emergencyReport),
  workingStartTime: '2026-11-20T09:00:00+09:00',
  workingEndTime: null,
  emergencyContents: ['1', '3'],
  risk: ['2', '8'],
  correspondenceDate: '1',
  ttsStaffContact: '2',
  emergencyContentsDetails: '満水',
}
const row = {
  id: 'e1',
  requestId: 'r1',
  workingDate: '2026-11-20',
  workingStartTime: '2026-11-20T00:00:00Z',
  emergencyContents: '3,1',
  risk: '2, 8',
  correspondenceDate: 1,
  ttsStaffContact: '2',
  emergencyContentsDetails: '満水',
  editStatus: 'OK',
}
const wire = (over: object = {}) => wireOf(emergencyReport).assert({ ...row, ...over })

test('[contract 4] codes are sent joined by commas', () => {
  expect(bodyOf(emergencyReport, 'create', record, fields, 'ss-1')).toEqual({
    ...fields,
    requestId: 'r1',
    workingDate: '2026-11-20',
    emergencyContents: '1,3',
    risk: '2,8',
    loginUserId: 'ss-1',
  })
})

test.each<[string, object, boolean]>([
  ['itself, in another order and offset', {}, true],
  ['a row that leaves fields out', { workingStartTime: null, ttsStaffContact: null }, true],
  ['another request', { requestId: 'r2' }, false],
  ['another day', { workingDate: '2026-11-21' }, false],
  ['another start', { workingStartTime: '2026-11-20T09:30:00+09:00' }, false],
  ['another risk', { risk: '2' }, false],
  ['other words', { emergencyContentsDetails: '満水。' }, false],
])('[OC3] %s is ours: %s', (_, over, ours) =>
  expect(isOurs(emergencyReport, record, fields, wire(over))).toBe(ours),
)
