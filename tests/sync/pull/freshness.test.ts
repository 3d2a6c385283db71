/** How long what was read stays fresh: the figures of PL5, and that many devices do not read at once (PL10). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ageUrgency,
  daysAt,
  dueAt,
  isInWindow,
  laterDueBefore,
  lifeOf,
  LONGEST_LIFE_MS,
  pastOrEmpty,
  readingOrder,
  type Dated,
  type Lifetime,
} from '#sync/pull/engine/freshness.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-11-20T10:00:00+09:00')
const days = daysAt(NOW)
const iso = (ms: number) => new Date(ms).toISOString()
const DONE = { id: 'q', inTime: null, outTime: iso(NOW), type: null, editStatus: null }
const on = (workingDate: string, isDone = false): Dated => ({
  workingDate,
  quickReport: isDone ? DONE : { ...DONE, outTime: null },
})
const TODAY = on('2026-11-20')
const TOMORROW = on('2026-11-21')

describe('[PL5] the life of what was read, in hours', () => {
  // the figures of the rule, not those of the code
  test.each<[string, Dated, number, number, number]>([
    ['today, to do', TODAY, 2, 6, 24],
    ['today, done', on('2026-11-20', true), 18, 18, 24],
    ['last night, to do', on('2026-11-19'), 2, 6, 24],
    ['last night, done', on('2026-11-19', true), 168, 168, 168],
    ['tomorrow', TOMORROW, 18, 18, 24],
    ['in two days', on('2026-11-22'), 48, 48, 168],
    ['in three days', on('2026-11-23'), 48, 48, 168],
    ['in four days', on('2026-11-24'), 168, 168, 168],
    ['long ago', on('2026-11-18'), 168, 168, 168],
  ])('%s', (_, request, details, lists, seldom) => {
    const hours = (lifetime: Lifetime) => lifeOf(lifetime, [request], days) / HOUR
    expect([hours('details'), hours('lists'), hours('seldom')]).toEqual([details, lists, seldom])
  })

  test('what several requests share lives as long as the nearest of them needs', () => {
    expect(lifeOf('lists', [on('2026-11-24'), TODAY, TOMORROW], days)).toBe(6 * HOUR)
    expect(lifeOf('lists', [], days)).toBe(168 * HOUR)
  })

  test('nothing lives longer than a week, and nothing of later days is due in its first half', () => {
    expect([LONGEST_LIFE_MS, NOW - laterDueBefore(NOW)]).toEqual([168 * HOUR, 84 * HOUR])
  })

  test.each([
    ['2026-11-18', false],
    ['2026-11-19', true],
    ['2026-12-04', true],
    ['2026-12-05', false],
  ])('[PL4] %s is in the window: %s', (workingDate, isIn) => {
    expect(isInWindow({ workingDate }, days)).toBe(isIn)
  })

  test('the order of reading: today, last night, the days to come, the past; in a day by the key', () => {
    const all: [string, string, boolean?][] = [
      ['2026-11-20', 'a'],
      ['2026-11-20', 'b'],
      ['2026-11-19', 'a'],
      ['2026-11-21', 'b'],
      ['2026-11-22', 'a'],
      ['2026-11-18', 'a'],
      ['2026-11-19', 'b', true],
    ]
    const order = all.map(([day, sortKey, isDone]) => readingOrder({ ...on(day, isDone), sortKey }, days))
    expect(order.toSorted()).toEqual(order)
  })
})

describe('[PL5] how urgently a list is read', () => {
  const clock = { now: NOW, days, refreshedAt: '', pauseStartedAt: '' }
  const urgency = (
    requests: readonly Dated[],
    hours: number | null,
    change: Partial<typeof clock> = {},
    lifetime: Lifetime = 'lists',
  ) => {
    const at = hours === null ? '' : iso(NOW - hours * HOUR)
    return ageUrgency({ key: 'k', at, requests }, lifetime, { ...clock, ...change })
  }
  const refreshedAt = iso(NOW - HOUR)
  const FAR = on('2026-11-30')

  test.each<[string, ReturnType<typeof urgency>, 'due' | 'paced' | null]>([
    ['never read, of today', urgency([FAR, TODAY], null), 'due'],
    ['never read, of other days', urgency([FAR, TOMORROW], null), 'paced'],
    ['never read, in a pause', urgency([TODAY], null, { pauseStartedAt: refreshedAt }), 'paced'],
    ['of no request', urgency([], null), 'paced'],
    ['fresh', urgency([TODAY], 2), null],
    ['its life is over', urgency([TODAY], 6), 'due'],
    ['更新 since, of tomorrow', urgency([FAR, TOMORROW], 2, { refreshedAt }), 'due'],
    ['更新 since, of later days', urgency([FAR], 2, { refreshedAt }), null],
    ['更新 since, what is read seldom', urgency([TODAY], 2, { refreshedAt }, 'seldom'), null],
    ['更新 before it was read', urgency([TODAY], 0.5, { refreshedAt }), null],
    ['更新 when it was never read, of tomorrow', urgency([TOMORROW], null, { refreshedAt }), 'due'],
  ])('%s', (_, found, expected) => expect(found).toBe(expected))

  test('[EX3] a time in the future is none', () => {
    const times = [NOW - 1, NOW, NOW + 1].map(iso)
    expect(times.map((at) => pastOrEmpty(at, NOW))).toEqual([times[0], times[1], ''])
  })
})

describe('[PL10] when a life ends', () => {
  const DAY = 24 * HOUR
  const shareOf = (key: string, at: number) => (dueAt(key, at, DAY) - at) / DAY
  const tenths = (shares: readonly number[]) =>
    Array.from(
      { length: 10 },
      (_, n) => shares.filter((share) => Math.floor((share - 0.5) * 20) === n).length,
    )

  test('law: after half of it, before all of it, and the same each time', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(2_000_000_000_000), (key, at) => {
        const share = shareOf(key, at)
        expect(share).toBeGreaterThanOrEqual(0.5 - 1e-9)
        expect(share).toBeLessThan(1 + 1e-9)
        expect(shareOf(key, at)).toBe(share)
      }),
    )
  })

  test.each<[string, (i: number) => [string, number]]>([
    ['many lists in one moment', (i) => [`r${i}`, NOW]],
    ['one list on devices that read it a millisecond apart', (i) => ['r1', NOW + i]],
    [
      'keys that differ in their first sign',
      (i) => [`${String.fromCodePoint(0x3041 + (i % 80))}r${i % 13}`, NOW],
    ],
  ])('%s end at different times', (_, of) => {
    const shares = Array.from({ length: 1_000 }, (_one, i) => shareOf(...of(i)))
    expect(Math.min(...tenths(shares))).toBeGreaterThan(50)
  })
})
