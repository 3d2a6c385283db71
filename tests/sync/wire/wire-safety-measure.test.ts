import { expect, test } from 'vitest'
import { requestWire } from '#schemas/resources/request.ts'
import { safetyMeasure, type SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import { safetyIdIn } from '#sync/resources/own-rules.ts'
import { bodyOf } from '#sync/wire/declared.ts'

const record: SafetyMeasureRecord = {
  key: 'r1_2026-11-20_4',
  requestId: 'r1',
  workingDate: '2026-11-20',
  safetyType: '4',
  serverId: '',
  changes: [],
  unsent: 'yes',
}

test('[contract 4] the body of a measure', () => {
  const fields = { needFlag: '2', workingStartTime: '2026-11-20T09:00:00+09:00', workingEndTime: null }
  expect(bodyOf(safetyMeasure, 'create', record, fields, 'ss-1')).toEqual({
    ...fields,
    requestId: 'r1',
    workingDate: '2026-11-20',
    safetyType: '4',
    loginUserId: 'ss-1',
  })
})

test.each<[string, object[], string | undefined]>([
  ['same type and day', [{ id: 's1', safetyType: 4, workingDate: '2026-11-20' }], 's1'],
  ['same type, the row’s day', [{ id: 's1', safetyType: '4' }], 's1'],
  ['another day', [{ id: 's1', safetyType: '4', workingDate: '2026-11-21' }], undefined],
  ['another type', [{ id: 's1', safetyType: '3', workingDate: '2026-11-20' }], undefined],
  ['it says the same', [{ id: 's1', safetyType: '4', needFlag: 2 }], 's1'],
  ['another device said the other of 要 and 不要', [{ id: 's1', safetyType: '4', needFlag: '1' }], undefined],
  ['none', [], undefined],
])('[OC3][SV2] read back: %s', (_, safety, id) => {
  const row = { id: 'r1', requestCode: 'R', workingDate: '2026-11-20', ttsOrder: {}, safety }
  expect(safetyIdIn(requestWire.assert(row), record, '2')).toBe(id)
})
