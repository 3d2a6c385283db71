import { describe, expect, test } from 'vitest'
import {
  fileStamp,
  addDays,
  dayRangeText,
  dayText,
  daysBetween,
  fullDayText,
  isIsoDate,
  isoAt,
  momentText,
  monthDayTimeText,
  shortDayText,
  shortStampText,
  stampText,
  timeOn,
  timeRange,
  timeText,
  toTokyoIso,
  tokyoDay,
  tokyoToday,
} from '#lib/time/tokyo-time.ts'

/** A year is left out near it. */
const TODAY = '2026-11-20'

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
    ['2026-06-05T08:05:59+09:00', '08:05', '2026/06/05 08:05', '06/05 08:05'],
    ['2026-08-08T02:30:00-08:00', '19:30', '2026/08/08 19:30', '08/08 19:30'],
  ])('%s', (iso, time, stamp, short) => {
    expect([timeText(iso), stampText(iso), shortStampText(iso, TODAY)]).toEqual([time, stamp, short])
  })

  test.each([null, '', 'soon', '2026-13-01T00:00:00Z'])('%s is shown as nothing', (iso) => {
    const short = [shortStampText(iso, TODAY), monthDayTimeText(iso, TODAY), momentText(iso, TODAY)]
    expect([timeText(iso), stampText(iso), tokyoDay(iso), ...short]).toEqual(['', '', '', '', '', ''])
  })

  test('a range is two times', () => {
    expect(timeRange('2026-11-20T09:00:00+09:00', null)).toEqual({ start: '09:00', end: '' })
  })
})

describe('[spec 9] days as read', () => {
  test.each([
    ['2026-11-20', '11月20日（金）', '2026年11月20日（金）', '11/20（金）'],
    ['2027-01-04', '1月4日（月）', '2027年01月04日（月）', '1/4（月）'],
    ['2028-02-29', '2028年02月29日（火）', '2028年02月29日（火）', '2028/02/29（火）'],
    ['soon', '', '', ''],
  ])('%s', (date, day, full, short) => {
    expect([dayText(date, TODAY), fullDayText(date), shortDayText(date, TODAY)]).toEqual([day, full, short])
  })

  // 180 days before and after 2026-11-20
  test.each([
    ['2026-05-24', '5月24日（日）', '5/24（日）', '05/24 09:00', '5月24日 09:00'],
    ['2026-05-23', '2026年05月23日（土）', '2026/05/23（土）', '2026/05/23 09:00', '2026/05/23 09:00'],
    ['2027-05-19', '5月19日（水）', '5/19（水）', '05/19 09:00', '5月19日 09:00'],
    ['2027-05-20', '2027年05月20日（木）', '2027/05/20（木）', '2027/05/20 09:00', '2027/05/20 09:00'],
  ])('%s has its year only where it is far', (date, day, short, stamp, monthDay) => {
    const iso = isoAt(date, '09:00')
    expect(dayText(date, TODAY)).toBe(day)
    expect(shortDayText(date, TODAY)).toBe(short)
    expect(shortStampText(iso, TODAY)).toBe(stamp)
    expect(monthDayTimeText(iso, TODAY)).toBe(monthDay)
    expect(momentText(iso, TODAY)).toBe(`${day}09:00`)
  })

  test.each([
    ['2026-11-20', '2026-11-26', '11/20（金）〜11/26（木）'],
    ['2026-11-21', '2026-11-21', '11/21（土）'],
    ['2026-12-28', '2027-01-03', '2026/12/28（月）〜2027/01/03（日）'],
    ['2026-05-23', '2026-11-20', '2026/05/23（土）〜2026/11/20（金）'],
    ['2027-01-03', '2027-01-03', '1/3（日）'],
    ['2026-11-20', '', '11/20（金）〜'],
    ['', '2026-11-20', '〜11/20（金）'],
  ])('from %s to %s is %s', (from, to, text) => expect(dayRangeText(from, to, TODAY)).toBe(text))

  test.each([
    ['2026-11-20T09:00:00+09:00', '09:00'],
    ['2026-11-20T15:05:00Z', '11/21 00:05'],
    ['2026-11-19T22:00:00+09:00', '11/19 22:00'],
    [null, ''],
  ])('%s is %s on 2026-11-20', (iso, text) => expect(timeOn(iso, TODAY, TODAY)).toBe(text))
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
