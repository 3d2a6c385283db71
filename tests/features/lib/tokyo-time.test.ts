import { describe, expect, test } from 'vitest'
import {
  fileStamp,
  addDays,
  dayText,
  daysBetween,
  fullDayText,
  isIsoDate,
  isoAt,
  shortDayText,
  shortStampText,
  stampText,
  timeRange,
  timeText,
  toTokyoIso,
  tokyoToday,
} from '#lib/tokyo-time.ts'

const ms = (iso: string) => Date.parse(iso)

describe('[spec 9] the zone is Asia/Tokyo', () => {
  test.each([
    ['2026-11-20T00:00:00+09:00', '2026-11-20'],
    ['2026-11-20T23:59:59+09:00', '2026-11-20'],
    ['2026-11-20T14:59:59Z', '2026-11-20'],
    ['2026-11-20T15:00:00Z', '2026-11-21'],
    ['2026-12-31T15:00:00Z', '2027-01-01'],
    ['2028-02-28T20:00:00Z', '2028-02-29'],
  ])('at %s today is %s', (iso, day) => expect(tokyoToday(ms(iso))).toBe(day))

  test.each([
    ['2026-11-19T23:56:07Z', '2026-11-20T08:56:07+09:00'],
    ['2026-11-20T08:56:00.999+09:00', '2026-11-20T08:56:00+09:00'],
    ['2026-12-31T15:00:00Z', '2027-01-01T00:00:00+09:00'],
    ['2026-07-01T12:00:00-07:00', '2026-07-02T04:00:00+09:00'],
  ])('%s is written %s', (iso, text) => expect(toTokyoIso(ms(iso))).toBe(text))

  test('a wall-clock time has its offset', () => {
    expect(isoAt('2026-11-20', '08:56')).toBe('2026-11-20T08:56:00+09:00')
    expect(timeText(isoAt('2026-11-20', '00:00'))).toBe('00:00')
  })
})

describe('[spec 9] times and stamps as read', () => {
  test.each([
    ['2026-11-20T09:00:00+09:00', '09:00', '2026/11/20 09:00', '11/20 09:00'],
    ['2026-11-20T00:31:00Z', '09:31', '2026/11/20 09:31', '11/20 09:31'],
    ['2026-11-20T15:00:00Z', '00:00', '2026/11/21 00:00', '11/21 00:00'],
    ['2026-01-05T08:05:59+09:00', '08:05', '2026/01/05 08:05', '01/05 08:05'],
    ['2026-03-08T02:30:00-08:00', '19:30', '2026/03/08 19:30', '03/08 19:30'],
  ])('%s', (iso, time, stamp, short) => {
    expect([timeText(iso), stampText(iso), shortStampText(iso)]).toEqual([time, stamp, short])
  })

  test.each([null, '', 'soon', '2026-13-01T00:00:00Z'])('%s is shown as nothing', (iso) => {
    expect([timeText(iso), stampText(iso), shortStampText(iso)]).toEqual(['', '', ''])
  })

  test('a range is two times', () => {
    expect(timeRange('2026-11-20T09:00:00+09:00', null)).toEqual({ start: '09:00', end: '' })
  })
})

describe('[spec 9] days as read', () => {
  test.each([
    ['2026-11-20', '11月20日（金）', '2026年11月20日（金）', '11/20（金）'],
    ['2026-01-04', '1月4日（日）', '2026年1月4日（日）', '1/4（日）'],
    ['2028-02-29', '2月29日（火）', '2028年2月29日（火）', '2/29（火）'],
    ['soon', '', '', ''],
  ])('%s', (date, day, full, short) => {
    expect([dayText(date), fullDayText(date), shortDayText(date)]).toEqual([day, full, short])
  })
})

describe('days are counted without clocks', () => {
  test.each([
    ['2026-11-20', 1, '2026-11-21'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2026-11-20', 0, '2026-11-20'],
    ['2028-02-28', 366, '2029-02-28'],
  ])('%s and %i days', (date, days, other) => {
    expect(addDays(date, days)).toBe(other)
    expect(daysBetween(date, other)).toBe(days)
  })

  test.each([
    ['2026-11-20', true],
    ['2026-02-29', false],
    ['2026-1-1', false],
    ['20261120', false],
    ['2026-11-20T00:00:00Z', false],
    ['', false],
  ])('%s is a day: %s', (text, is) => expect(isIsoDate(text)).toBe(is))
})

test.each([
  ['2026-11-20T08:56:00.123+09:00', '20261120085600123'],
  ['2026-12-31T15:00:01Z', '20270101000001000'],
])('fileStamp of %s', (iso, stamp) => {
  expect(fileStamp(Date.parse(iso))).toBe(stamp)
})
