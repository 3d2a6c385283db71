import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FIGURES,
  percentile,
  summariesOf,
  type Figure,
  type FigureName,
  type Rating,
} from '#lib/field-figures.ts'

const NOW = Date.parse('2026-11-20T12:00:00+09:00')
const HOUR_MS = 3_600_000
const figure = (name: FigureName, value: number, hoursAgo = 0): Figure => ({
  id: crypto.randomUUID(),
  name,
  value,
  unit: FIGURES[name].unit,
  at: new Date(NOW - hoursAgo * HOUR_MS).toISOString(),
  route: '/request',
})

describe('[figures] percentiles', () => {
  test.each([
    [[5], 50, 5],
    [[1, 2, 3, 4], 50, 2],
    [[1, 2, 3, 4], 75, 3],
    [[1, 2, 3, 4], 98, 4],
    [Array.from({ length: 100 }, (_, index) => index + 1), 98, 98],
  ])('%j at %d is %d', (values, percent, expected) => expect(percentile(values, percent)).toBe(expected))

  test('are values that were measured, and grow with the percent', () => {
    const measured = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(measured, (values) => {
        const sorted = values.toSorted((a, b) => a - b)
        const [median, p75, p98] = [50, 75, 98].map((percent) => percentile(sorted, percent))
        expect(values).toEqual(expect.arrayContaining([median, p75, p98]))
        expect([median, p75, p98]).toEqual([median, p75, p98].toSorted((a = 0, b = 0) => a - b))
        expect(values.filter((value) => value <= (p75 ?? 0)).length).toBeGreaterThanOrEqual(
          values.length * 0.75,
        )
      }),
    )
  })
})

describe('[figures] a summary', () => {
  test('of each name that was measured, in the order of the table, with the last day counted', () => {
    const figures = [figure('app:save', 40, 30), figure('app:save', 60, 23), figure('INP', 120)]
    expect(summariesOf(figures, NOW)).toMatchObject([
      { name: 'INP', unit: 'ms', count: 1, lastDay: 1, median: 120 },
      { name: 'app:save', unit: 'ms', count: 2, lastDay: 1, median: 40, p75: 60, p98: 60 },
    ])
    expect(summariesOf([], NOW)).toEqual([])
  })

  test.each<[FigureName, number[], Rating]>([
    ['INP', [200], 'good'],
    ['INP', [201], 'fair'],
    ['INP', [500], 'fair'],
    ['INP', [501], 'slow'],
    ['CLS', [0.1], 'good'],
    ['CLS', [0.26], 'slow'],
    // three of four count, the slowest does not
    ['INP', [100, 100, 100, 9_000], 'good'],
    ['INP', [100, 100, 9_000, 9_000], 'slow'],
  ])('%s of %j is %s', (name, values, rating) => {
    const figures = values.map((value) => figure(name, value))
    expect(summariesOf(figures, NOW)[0]?.rating).toBe(rating)
  })
})
