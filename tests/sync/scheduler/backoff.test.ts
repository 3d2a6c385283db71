import fc from 'fast-check'
import { defer, firstValueFrom, retry } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { again, backoffDelay, easeMs, RETRY_AFTER_MAX_MS, sharedNow, TICKS } from '#sync/lib/backoff.ts'

afterEach(() => void vi.useRealTimers())

const attempts = fc.integer({ min: 0, max: 5_000 })
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

test.each([
  [0, 500],
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [6, 30_000],
  [1_000, 30_000],
])('[OC4] try %d waits %d ms without jitter', (attempt, ms) => {
  expect(backoffDelay(attempt, 0)).toBe(ms)
})

test('[OC4] jitter takes up to a quarter off, and never adds', () => {
  fc.assert(
    fc.property(attempts, random, (attempt, chance) => {
      const longest = backoffDelay(attempt, 0)
      const delay = backoffDelay(attempt, chance)
      expect(delay).toBeLessThanOrEqual(longest)
      expect(delay).toBeGreaterThanOrEqual(longest * 0.75 - 1)
    }),
  )
})

test('[OC4] and it is used: many devices are spread over that quarter', () => {
  expect([0.5, 0.999].map((chance) => backoffDelay(5, chance))).toEqual([14_000, 12_004])
})

test('[OC4] a later try never waits less than an earlier one', () => {
  fc.assert(
    fc.property(attempts, random, (attempt, chance) => {
      expect(backoffDelay(attempt + 1, chance)).toBeGreaterThanOrEqual(backoffDelay(attempt, chance))
    }),
  )
})

test('[OC4] what the CRM asked for is waited for, within reason', () => {
  fc.assert(
    fc.property(
      attempts,
      random,
      fc.integer({ min: 0, max: RETRY_AFTER_MAX_MS }),
      (attempt, chance, asked) => {
        expect(backoffDelay(attempt, chance, asked)).toBe(Math.max(asked, backoffDelay(attempt, chance)))
      },
    ),
  )
})

test.each([Number.POSITIVE_INFINITY, 10 ** 15, 2 ** 31])(
  '[OC4] a Retry-After of %d ms, which no timer holds, does not end in a storm of calls',
  (asked) => {
    expect(backoffDelay(0, 0.5, asked)).toBe(RETRY_AFTER_MAX_MS)
    expect(RETRY_AFTER_MAX_MS).toBeLessThan(2 ** 31)
  },
)

test.each([
  [0, 0.5, 0],
  [7, 0.5, 0],
  [8, 0, 0],
  [8, 0.5, 45_000],
  [100, 0.999, 89_910],
])(
  '[PL10] after %d failures in a row reads wait at random up to a minute and a half: %d is %d ms',
  (failures, chance, ms) => {
    expect(easeMs(failures, chance)).toBe(ms)
  },
)

test('[OC4] what a full disk stood in the way of is tried again after the back-off, until it goes through', async () => {
  vi.useFakeTimers()
  let tries = 0
  const written = firstValueFrom(
    defer(async () => {
      tries += 1
      if (tries < 4) throw new Error('full')
      return 'written'
    }).pipe(retry(again(() => 0))),
  )
  for (const [ms, before] of [
    [1_000, 1],
    [2_000, 2],
    [4_000, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect(tries).toBe(before)
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(await written).toBe('written')
})

test('[OC10] the clock of waits is one for all tabs, whenever each was opened, and counts in milliseconds', () => {
  expect(TICKS.now).toBe(sharedNow)
  // it never goes back, so a set clock parts the two; within a test run it does not
  expect(Math.abs(sharedNow() - Date.now())).toBeLessThan(60_000)
  expect(sharedNow()).toBeGreaterThan(performance.timeOrigin)
  vi.useFakeTimers()
  let rang = 0
  TICKS.after$(500).subscribe(() => (rang += 1))
  vi.advanceTimersByTime(499)
  expect(rang).toBe(0)
  vi.advanceTimersByTime(10_000)
  expect(rang).toBe(1)
})
