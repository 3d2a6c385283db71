import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffDelay, RETRY_AFTER_MAX_MS } from '#sync/lib/backoff.ts'

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
