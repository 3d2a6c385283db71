import { expect, test } from 'vitest'
import { INTEREST_KEY_MAX } from '#schemas/interest.ts'
import { ID_MAX } from '#schemas/limits.ts'
import { listOwners, prefetchKey, prefetchKeys } from '#schemas/prefetch.ts'
import { requestRecord } from '../support/device-records.ts'

const device = (deviceId: string) => ({ deviceId, deviceModel: null, site1: null, site2: null })
const detail = {
  goods: [],
  safety: [],
  underPitSurvey: [],
  devices: [device('d1'), device('d2'), device('d1')],
}

test('[PL4] a request needs its own lists, its area’s notes, and the past reports of each device', () => {
  expect(prefetchKeys(requestRecord('r1', { locationAreaId: 'a1', detail }))).toEqual([
    'prefetch_emergencyReports_r1',
    'prefetch_safetyMeasures_r1_2026-11-20',
    'prefetch_customerLocationChangeRequests_r1',
    'prefetch_locationContactChangeRequests_r1',
    'prefetch_noteLocationAreas_a1',
    'prefetch_pastReports_d1',
    'prefetch_pastReports_d2',
  ])
})

test('a key fits, however long the ids', () => {
  const longest = Object.keys(listOwners).map((name) => prefetchKey(name, 'x'.repeat(ID_MAX + 11)).length)
  expect(Math.max(...longest)).toBeLessThanOrEqual(INTEREST_KEY_MAX)
})
