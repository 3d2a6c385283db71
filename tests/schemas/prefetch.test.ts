import { expect, test } from 'vitest'
import { INTEREST_KEY_MAX } from '#schemas/device/interest.ts'
import { ID_MAX } from '#schemas/limits.ts'
import { prefetchKey, listOwners, namedIds, prefetchKeys } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { pullResources } from '#sync/resources/resource-table.ts'
import { requestRecord } from '../support/device-records.ts'

const device = (deviceId: string) => ({ deviceId, deviceModel: null, site1: null, site2: null })
const detail = {
  goods: [],
  safety: [],
  underPitSurvey: [],
  devices: [device('d1'), device('d2'), device('d1')],
}

const measure = (id: string, workingDate: string | null) => ({
  id,
  workingDate,
  safetyType: '1',
  needFlag: '1',
})

test('[PL4] a request needs its own lists, its area’s notes, and the past reports of each device', () => {
  expect(prefetchKeys(requestRecord('r1', { locationAreaId: 'a1', detail }))).toEqual([
    'prefetch_emergencyReports_r1',
    'prefetch_noteLocationAreas_a1',
    'prefetch_pastReports_d1',
    'prefetch_pastReports_d2',
  ])
})

test('[PL4] it needs the records that it names, and no list that it says is empty', () => {
  const isNamed = (key: string) => Object.keys(namedIds).some((name) => key.startsWith(prefetchKey(name, '')))
  const named = (over: Partial<RequestRecord>) =>
    prefetchKeys(
      requestRecord('r1', { locationAreaId: null, detail: { ...detail, devices: [] }, ...over }),
    ).filter(isNamed)
  const measures = (day: string | null) =>
    named({ detail: { ...detail, devices: [], safety: [measure('s1', day)] } })
  expect(named({})).toEqual([])
  expect(measures(null)).toEqual(['prefetch_safetyMeasures_r1_2026-11-20'])
  expect(measures('2026-11-20')).toEqual(['prefetch_safetyMeasures_r1_2026-11-20'])
  expect(measures('2026-11-21')).toEqual([])
  expect(named({ customerLocationChangeRequestId: 'c1' })).toEqual([
    'prefetch_customerLocationChangeRequests_r1',
  ])
  for (const which of ['inLocationContactChangeRequestId', 'outLocationContactChangeRequestId'])
    expect(named({ [which]: 'c1' })).toEqual(['prefetch_locationContactChangeRequests_r1'])
})

test('[PL4] of each resource that is read by the ids that requests name, these are known here', () => {
  const read = Object.entries(pullResources).flatMap(([name, { source }]) =>
    source.kind === 'named' ? [name] : [],
  )
  expect(Object.keys(namedIds).toSorted()).toEqual(read.toSorted())
})

test('a key fits, however long the ids', () => {
  const longest = Object.keys(listOwners).map((name) => prefetchKey(name, 'x'.repeat(ID_MAX + 11)).length)
  expect(Math.max(...longest)).toBeLessThanOrEqual(INTEREST_KEY_MAX)
})
