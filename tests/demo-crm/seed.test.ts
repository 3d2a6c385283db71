import { describe, expect, test } from 'vitest'
import { devicesOf, goodsOf } from '#demo-crm/seed/equipment.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { seedQuickReports } from '#demo-crm/resources/quick-report.ts'
import { visitsBetween, seedVisitsOfRequest, visitsOn } from '#demo-crm/seed/visits.ts'
import { addDays, tokyoDay, tokyoTime, weekday, dayNumber } from '#demo-crm/seed/tokyo-day.ts'
import { requestWire } from '#schemas/resources/request.ts'
import { type } from 'arktype'
import { openHarness } from './harness.ts'

const days = Array.from({ length: 400 }, (_, i) => addDays('2026-01-01', i))
const around = (day: string) => visitsBetween(addDays(day, -3), addDays(day, 14))

describe('the seed, whatever day it is', () => {
  test('is the same for the same day', () => {
    expect(JSON.stringify(around('2026-11-20'))).toBe(JSON.stringify(around('2026-11-20')))
  })

  test('has 100 to 140 rows from 3 days back to 14 ahead, at least 7 a day', () => {
    const counts = new Map(days.map((day) => [day, visitsOn(day).length]))
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(7)
    for (const day of days.slice(3, -14)) {
      const total = Array.from({ length: 18 }, (_, i) => counts.get(addDays(day, i - 3)) ?? 0)
      const rows = total.reduce((sum, one) => sum + one, 0)
      expect(rows).toBeGreaterThanOrEqual(100)
      expect(rows).toBeLessThanOrEqual(140)
    }
  })

  test.each(days.slice(0, 14))('%s has every order flag, several days’ work and an emergency', (day) => {
    const visits = around(day)
    expect([...new Set(visits.map((visit) => visit.orderFlag))].toSorted()).toEqual('12345678'.split(''))
    expect([...new Set(visits.map((visit) => visit.workingDateType))].toSorted()).toEqual(['1', '2', '3'])
    expect(visitsOn(day).some((visit) => visit.emergency)).toBe(true)
  })

  test.each(days.slice(0, 14))('%s has at least three requests at one location', (day) => {
    const places = visitsOn(day).map((visit) => visit.area.id)
    const most = Math.max(...places.map((id) => places.filter((one) => one === id).length))
    expect(most).toBeGreaterThanOrEqual(3)
  })

  test('each request is found by its id with all its days, and ids and codes are unique', () => {
    const visits = visitsBetween('2026-01-01', '2026-12-31')
    const codes = new Map<string, string>()
    for (const visit of visits) {
      expect(seedVisitsOfRequest(visit.id)).toContainEqual(visit)
      expect(codes.get(visit.requestCode) ?? visit.id).toBe(visit.id)
      codes.set(visit.requestCode, visit.id)
      expect(visit.requestCode).toMatch(/^R26-\d{6}$|^R25-\d{6}$/)
    }
    expect(new Set(visits.map((visit) => `${visit.id} ${visit.workingDate}`)).size).toBe(visits.length)
  })

  test.each([
    ['before the early one has ended', '2026-11-20T08:00:00+09:00', 0],
    ['after it', '2026-11-20T08:30:00+09:00', 1],
    ['in the evening', '2026-11-20T23:59:00+09:00', 1],
  ])('today %s: %s → %i reports', (_, at, count) => {
    const reports = visitsOn('2026-11-20').flatMap((visit) => seedQuickReports([visit], Date.parse(at)))
    expect(reports).toHaveLength(count)
  })

  test('reports of past days have entry and exit', () => {
    const reports = seedQuickReports(visitsOn('2026-11-18'), Date.parse('2026-11-20T00:00:00+09:00'))
    expect(reports.length).toBeGreaterThanOrEqual(7)
    expect(reports.every(({ inTime, outTime }) => outTime !== null && inTime < outTime)).toBe(true)
  })

  test('every area has goods and devices', () => {
    for (const area of areas) expect(goodsOf(area, 'x').length * devicesOf(area).length).toBeGreaterThan(0)
  })
})

test('[crm-contract 4] rows and single reads parse as the app’s wire schema', async () => {
  const { crm, rest } = await openHarness()
  const { requests } = await crm.inspect()
  const rows = requests('2026-11-17', '2026-12-04')
  const parsed = rows.map((row) => requestWire(row))
  expect(parsed.filter((one) => one instanceof type.errors).map(String)).toEqual([])
  for (const row of rows.slice(0, 10)) {
    const { json } = await rest('GET', `request/${row.id}?workingDate=${row.workingDate}`)
    expect(requestWire(json)).not.toBeInstanceOf(type.errors)
  }
  const statuses = new Set(
    rows.flatMap((row) => [row.inLocationContactChangeStatus, row.customerLocationChangeStatus]),
  )
  expect([...statuses].toSorted()).toEqual(['1', '2', '3'])
})

describe('Tokyo’s calendar', () => {
  test.each([
    ['2026-11-20T14:59:59Z', '2026-11-20', '2026-11-20T23:59:59+09:00'],
    ['2026-11-20T15:00:00Z', '2026-11-21', '2026-11-21T00:00:00+09:00'],
  ])('%s is %s', (at, day, time) => {
    expect([tokyoDay(Date.parse(at)), tokyoTime(Date.parse(at))]).toEqual([day, time])
  })
  test('2026-11-20 is a Friday', () => expect(weekday(dayNumber('2026-11-20'))).toBe(4))
})
