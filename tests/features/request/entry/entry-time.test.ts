import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  entryDays,
  entryTime,
  isTooEarly,
  mayUseNow,
  modeNow,
  startOfEntry,
  type EntryTimeInput,
} from '#features/request/entry/entry-time.ts'
import { tokyoDay } from '#lib/time/tokyo-time.ts'
import { placeInSpan } from '#lib/time/working-day.ts'
import { deviceIn, ZONES } from '../../../support/zones.ts'

const DAY = '2026-11-20'
const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}:00+09:00`)
const given = (date: string, time: string): EntryTimeInput => ({ mode: 'given', date, time })
const NOW: EntryTimeInput = { mode: 'now', date: '', time: '' }
const ok = (inTime: string) => ({ kind: 'ok', inTime: `${inTime.replace(' ', 'T')}:00+09:00` })

describe.each(ZONES)('[spec 2] the time of an entry, on a device in %s', (zone, offset) => {
  deviceIn(zone, offset)

  test.each([
    ['now', NOW, DAY, '2026-11-20 12:00', ok('2026-11-20 12:00')],
    ['now, before midnight', NOW, DAY, '2026-11-20 23:59', ok('2026-11-20 23:59')],
    ['now, after midnight', NOW, DAY, '2026-11-21 00:01', ok('2026-11-21 00:01')],
    ['now, early on the evening before', NOW, DAY, '2026-11-19 23:59', ok('2026-11-19 23:59')],
    ['now, over the turn of the month', NOW, '2026-11-30', '2026-12-01 00:01', ok('2026-12-01 00:01')],
    ['now, over the turn of the year', NOW, '2026-12-31', '2027-01-01 00:01', ok('2027-01-01 00:01')],
    ['now, just too late: the time asks', NOW, DAY, '2026-11-21 12:01', { kind: 'required' }],
    ['earlier that day', given(DAY, '08:56'), DAY, '2026-11-20 12:00', ok('2026-11-20 08:56')],
    ['this very minute', given(DAY, '12:00'), DAY, '2026-11-20 12:00', ok('2026-11-20 12:00')],
    ['a minute ahead', given(DAY, '12:01'), DAY, '2026-11-20 12:00', { kind: 'future' }],
    [
      'the evening, told after midnight',
      given(DAY, '23:50'),
      DAY,
      '2026-11-21 00:01',
      ok('2026-11-20 23:50'),
    ],
    ['after midnight', given('2026-11-21', '00:01'), DAY, '2026-11-21 11:59', ok('2026-11-21 00:01')],
    ['noon of the day after', given('2026-11-21', '12:00'), DAY, '2026-11-21 12:01', ok('2026-11-21 12:00')],
    ['past it', given('2026-11-21', '12:01'), DAY, '2026-11-21 12:01', { kind: 'outside' }],
    ['noon of the day before', given('2026-11-19', '12:00'), DAY, '2026-11-20 08:00', ok('2026-11-19 12:00')],
    ['earlier than it', given('2026-11-19', '11:59'), DAY, '2026-11-20 08:00', { kind: 'outside' }],
    ['none', given(DAY, ''), DAY, '2026-11-20 12:00', { kind: 'required' }],
    ['no time of day', given(DAY, '24:00'), DAY, '2026-11-22 12:00', { kind: 'required' }],
    ['no day', given('2026-02-30', '08:00'), DAY, '2026-11-20 12:00', { kind: 'required' }],
    ['a day past', given('2026-11-19', '23:00'), '2026-11-19', '2026-11-25 09:00', ok('2026-11-19 23:00')],
  ] as const)('%s', (_, input, workingDate, now, expected) => {
    expect(entryTime(input, workingDate, at(now))).toEqual(expected)
  })

  test.each([
    ['2026-11-19 11:59', { early: true, now: false }],
    ['2026-11-19 12:01', { early: false, now: true }],
    ['2026-11-20 00:01', { early: false, now: true }],
    ['2026-11-20 23:59', { early: false, now: true }],
    ['2026-11-21 00:01', { early: false, now: true }],
    ['2026-11-21 11:59', { early: false, now: true }],
    ['2026-11-21 12:01', { early: false, now: false }],
  ])('at %s of 2026-11-20: %o', (now, { early, now: mayNow }) => {
    expect(isTooEarly(DAY, at(now))).toBe(early)
    expect(mayUseNow(DAY, at(now))).toBe(mayNow)
  })

  test.each([
    ['2026-11-20 12:00', { mode: 'now', date: DAY, time: '12:00' }],
    ['2026-11-21 00:01', { mode: 'now', date: '2026-11-21', time: '00:01' }],
    ['2026-11-19 23:59', { mode: 'now', date: '2026-11-19', time: '23:59' }],
    // a time of today would be a guess at another day's
    ['2026-11-21 12:01', { mode: 'given', date: DAY, time: '' }],
  ])('at %s the form starts with %o', (now, start) => expect(startOfEntry(DAY, at(now))).toEqual(start))

  test('入館日 offers what has begun of the three days', () => {
    const before = { date: '2026-11-19', relation: 'before' }
    const working = { date: DAY, relation: 'working' }
    const after = { date: '2026-11-21', relation: 'after' }
    expect(entryDays(DAY, at('2026-11-19 12:01'))).toEqual([before])
    expect(entryDays(DAY, at('2026-11-20 00:01'))).toEqual([before, working])
    expect(entryDays(DAY, at('2026-11-21 00:01'))).toEqual([before, working, after])
  })
})

test('[spec 2] 現在時刻 ends with the span, also under an open form', () => {
  expect(modeNow('now', DAY, at('2026-11-21 11:59'))).toBe('now')
  expect(modeNow('now', DAY, at('2026-11-21 12:01'))).toBe('given')
})

test('[spec 2] no entry is ahead of the clock or outside the span, and what the form starts with is none of them', () => {
  const clock = fc.integer({ min: at('2026-11-17 00:00'), max: at('2026-11-24 00:00') })
  const date = fc.integer({ min: 16, max: 24 }).map((day) => `2026-11-${day}`)
  const time = fc.integer({ min: 0, max: 1439 }).map((minute) => {
    const two = (n: number) => String(n).padStart(2, '0')
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
  })
  fc.assert(
    fc.property(
      fc.constantFrom('now' as const, 'given' as const),
      date,
      time,
      clock,
      (mode, on, when, now) => {
        const result = entryTime({ mode, date: on, time: when }, DAY, now)
        if (result.kind === 'ok') {
          const ms = Date.parse(result.inTime)
          expect(ms).toBeLessThanOrEqual(now)
          expect(placeInSpan(DAY, ms)).toBe('within')
          // a day that 入館日 offers holds it
          expect(entryDays(DAY, now).map((each) => each.date)).toContain(tokyoDay(result.inTime))
        }
        const start = startOfEntry(DAY, now)
        if (start.mode === 'now') {
          const begun = entryTime(start, DAY, now)
          expect(begun.kind === 'ok' && Math.abs(Date.parse(begun.inTime) - now) < 1_000).toBe(true)
        } else expect(mayUseNow(DAY, now)).toBe(false)
      },
    ),
    { numRuns: 1_000 },
  )
})
