import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, isoAt, tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedDay, daysBegun, isOtherDay, placeInSpan, plannedEnd, spanOf } from '#lib/time/working-day.ts'
import { deviceIn, ZONES } from '../../support/zones.ts'

const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}:00+09:00`)

describe.each(ZONES)('[spec 9] working days, on a device in %s', (zone, offset) => {
  deviceIn(zone, offset)

  test.each([
    ['2026-11-20', '2026-11-19T12:00:00+09:00', '2026-11-21T12:00:00+09:00'],
    ['2026-12-01', '2026-11-30T12:00:00+09:00', '2026-12-02T12:00:00+09:00'],
    ['2027-01-01', '2026-12-31T12:00:00+09:00', '2027-01-02T12:00:00+09:00'],
    ['2028-02-29', '2028-02-28T12:00:00+09:00', '2028-03-01T12:00:00+09:00'],
  ])('%s reaches from %s to %s', (day, from, to) => expect(spanOf(day)).toEqual({ from, to }))

  test.each([
    ['2026-11-19 11:59', 'before', []],
    ['2026-11-19 12:00', 'within', ['2026-11-19']],
    ['2026-11-19 12:01', 'within', ['2026-11-19']],
    ['2026-11-19 23:59', 'within', ['2026-11-19']],
    ['2026-11-20 00:01', 'within', ['2026-11-19', '2026-11-20']],
    ['2026-11-20 23:59', 'within', ['2026-11-19', '2026-11-20']],
    ['2026-11-21 00:01', 'within', ['2026-11-19', '2026-11-20', '2026-11-21']],
    ['2026-11-21 11:59', 'within', ['2026-11-19', '2026-11-20', '2026-11-21']],
    ['2026-11-21 12:00', 'within', ['2026-11-19', '2026-11-20', '2026-11-21']],
    ['2026-11-21 12:01', 'after', ['2026-11-19', '2026-11-20', '2026-11-21']],
    ['2026-11-25 09:00', 'after', ['2026-11-19', '2026-11-20', '2026-11-21']],
  ] as const)('%s lies %s the span of 2026-11-20', (now, place, days) => {
    expect(placeInSpan('2026-11-20', at(now))).toBe(place)
    expect(daysBegun('2026-11-20', at(now))).toEqual(days)
  })

  test.each([
    ['2026-11-19 23:59', null],
    ['2026-11-20 00:00', '2026-11-19'],
    ['2026-11-20 00:01', '2026-11-19'],
    ['2026-11-20 11:59', '2026-11-19'],
    ['2026-11-20 12:00', null],
    ['2026-11-20 12:01', null],
    ['2026-12-01 00:01', '2026-11-30'],
    ['2027-01-01 00:01', '2026-12-31'],
    ['2028-03-01 11:59', '2028-02-29'],
  ])('at %s the night carries over %s', (now, day) => expect(carriedDay(at(now))).toBe(day))

  test.each([
    ['2026-11-20', '2026-11-20T12:00:00+09:00', '2026-11-20 12:00'],
    ['2026-11-20', '2026-11-20T20:00:00Z', '2026-11-21 05:00'],
    ['2026-11-20', null, '2026-11-21 12:00'],
    ['2026-12-31', 'soon', '2027-01-01 12:00'],
  ])('work of %s planned until %s should be over at %s', (day, end, over) => {
    expect(plannedEnd(day, end)).toBe(at(over))
  })

  test.each([
    ['2026-11-20T14:59:59Z', '2026-11-20', false],
    ['2026-11-20T15:00:00Z', '2026-11-20', true],
    ['2026-12-31T23:59:59+09:00', '2027-01-01', true],
    [null, '2026-11-20', false],
    ['soon', '2026-11-20', false],
  ])('%s is beside %s: %s', (iso, day, is) => expect(isOtherDay(iso, day)).toBe(is))
})

test('[spec 9] what is carried over is still open: its span ends exactly when it leaves the list', () => {
  const minutes = fc.integer({ min: at('2025-01-01 00:00') / 60_000, max: at('2030-01-01 00:00') / 60_000 })
  fc.assert(
    fc.property(minutes, (minute) => {
      const now = minute * 60_000
      const today = tokyoToday(now)
      const yesterday = addDays(today, -1)
      const isCarried = carriedDay(now) === yesterday
      expect(isCarried).toBe(now < Date.parse(isoAt(today, '12:00')))
      if (isCarried) expect(placeInSpan(yesterday, now)).toBe('within')
      // whatever is offered has begun and none is left out
      for (const day of [yesterday, today, addDays(today, 1)])
        for (const begun of daysBegun(day, now)) expect(begun <= today).toBe(true)
      expect(daysBegun(today, now)).toContain(today)
    }),
    { numRuns: 500 },
  )
})
