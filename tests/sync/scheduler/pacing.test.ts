/** The pace of background reads, and the rounds of the window (RULES PL5, PL10). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { READS_AT_ONCE } from '#schemas/limits.ts'
import { easeMs } from '#sync/lib/backoff.ts'
import { PACE_EVERY_MS, PACE_START_MS, startPace, takeToken } from '#sync/pull/engine/work.ts'
import {
  afterOutage,
  joined,
  rangeDays,
  rangeOf,
  WINDOW_EVERY_MS,
} from '#sync/pull/requests/pull-requests.ts'
import { NOW } from '../../support/replication.ts'

const asks = fc.array(fc.oneof(fc.constant(0), fc.nat(20_000)), { maxLength: 120 })

describe('[PL10] the pace', () => {
  test('in no stretch of time more than one in four seconds and four beside; none before it begins', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), asks, (random, list) => {
        let pace = startPace(0, random)
        const begins = pace.at
        const left: number[] = []
        let now = 0
        for (const after of list) {
          now += after
          const taken = takeToken(pace, now)
          pace = taken.pace
          if (taken.nextAt === null) left.push(now)
          else expect(taken.nextAt).toBeGreaterThan(now)
        }
        const isTooMany = (from: number, i: number) =>
          left.slice(i).some((to, n) => n + 1 > READS_AT_ONCE + (to - from) / PACE_EVERY_MS + 1)
        expect(left.some(isTooMany)).toBe(false)
        expect(left.every((at) => at >= begins + PACE_EVERY_MS)).toBe(true)
      }),
    )
  })

  test('whoever asks when told to gets what was wanted, soon', () => {
    let pace = startPace(0, 0.999)
    let [now, granted, times] = [0, 0, 0]
    while (granted < 20) {
      const taken = takeToken(pace, now)
      if (taken.nextAt === null) granted += 1
      pace = taken.pace
      now = taken.nextAt ?? now
      expect((times += 1)).toBeLessThan(30)
    }
    expect(now).toBeLessThanOrEqual(PACE_START_MS + 21 * PACE_EVERY_MS)
  })

  test.each([
    [2, 0],
    [7, 0],
    [8, 45_000],
    [60, 45_000],
  ])('after an outage of %i failures reads wait half of up to %i ms on average', (failures, ms) => {
    expect(easeMs(failures, 0.5)).toBe(ms)
  })
})

describe('[PL5] a round', () => {
  const at = NOW - WINDOW_EVERY_MS
  test.each([
    ['at the start', 'regular', null, 'window'],
    ['five minutes after the window', 'regular', NOW - 5 * 60_000, 'near'],
    ['half an hour after the window', 'regular', at, 'window'],
    ['half an hour after the window, having come back', 'recovered', at, 'near'],
    ['a new day', 'recovered', NOW - 11 * 3_600_000, 'window'],
    ['asked by the user', 'user', NOW, 'window'],
    ['the clock was set back', 'regular', NOW + 60_000, 'window'],
  ] as const)('%s', (_, cause, read, range) => expect(rangeOf(cause, read, NOW)).toBe(range))

  test('one serves all who wait for one, the user first', () => {
    expect(joined('regular', 'user')).toBe('user')
    expect(joined('user', 'recovered')).toBe('user')
    expect(joined('recovered', 'regular')).toBe('recovered')
    expect(joined(null, 'regular')).toBe('regular')
  })
  test('after an outage none of those that waited, but the first and what the user asked for', () => {
    expect(afterOutage('regular', NOW)).toBeNull()
    expect(afterOutage('regular', null)).toBe('regular')
    expect(afterOutage('user', NOW)).toBe('user')
  })
  test('[PL8a] of a range that cannot be read makes room for the other, but for what the user asks for', () => {
    expect(rangeOf('regular', null, NOW, 'window')).toBe('near')
    expect(rangeOf('recovered', NOW, NOW, 'near')).toBe('window')
    expect(rangeOf('user', NOW, NOW, 'window')).toBe('window')
  })
  test('the rows of today and tomorrow, or of the whole window', () => {
    expect(rangeDays('near', NOW)).toEqual({ from: '2026-11-20', to: '2026-11-21' })
    expect(rangeDays('window', NOW)).toEqual({ from: '2026-11-19', to: '2026-12-04' })
  })
})
