/** Field figures: how fast users experience the app. The stored ones have no personal data. */

/** `score`: the layout shift score of web-vitals, which has no unit. */
export type FigureUnit = 'ms' | 'score'

interface FigureRule {
  unit: FigureUnit
  /** Limits of the 75th percentile: good up to `good`, slow above `slow`, otherwise fair (web.dev/articles/vitals). */
  good: number
  slow: number
}

/** First web-vitals with their official limits, then User Timing measures (`user-timing.ts`, `sync/runtime`). */
export const FIGURES = {
  /** The longest time from a touch or key to the next paint during a page visit. */
  INP: { unit: 'ms', good: 200, slow: 500 },
  /** Time from the navigation to the paint of the first screen's largest element. */
  LCP: { unit: 'ms', good: 2_500, slow: 4_000 },
  /** How far content moves on screen without the user's action. */
  CLS: { unit: 'score', good: 0.1, slow: 0.25 },
  'app:first-rows': { unit: 'ms', good: 1_000, slow: 2_500 },
  'app:operable': { unit: 'ms', good: 2_500, slow: 4_000 },
  'app:open-request': { unit: 'ms', good: 200, slow: 500 },
  'app:search': { unit: 'ms', good: 200, slow: 500 },
  'app:save': { unit: 'ms', good: 200, slow: 500 },
  'sync:initial': { unit: 'ms', good: 15_000, slow: 60_000 },
  'sync:round': { unit: 'ms', good: 5_000, slow: 30_000 },
  'sync:replay': { unit: 'ms', good: 15_000, slow: 60_000 },
} as const satisfies Record<string, FigureRule>

export type FigureName = keyof typeof FIGURES

export const figureNames = Object.keys(FIGURES) as FigureName[]
export const isFigureName = (name: string): name is FigureName => Object.hasOwn(FIGURES, name)

export interface Figure {
  /** Id of the measurement. INP, LCP and CLS are reported repeatedly under one id while their value grows. */
  id: string
  name: FigureName
  value: number
  unit: FigureUnit
  at: string
  route: string
}

export type Rating = 'good' | 'fair' | 'slow'

export type FigureSummary = ReturnType<typeof summariesOf>[number]

const DAY_MS = 24 * 3_600_000

/** Summarises all measured figures, in the order of the table. @param now epoch ms */
export function summariesOf(figures: readonly Figure[], now: number) {
  const since = new Date(now - DAY_MS).toISOString()
  return figureNames.flatMap((name) => {
    const own = figures.filter((figure) => figure.name === name)
    if (own.length === 0) return []
    const values = own.map(({ value }) => value).toSorted((a, b) => a - b)
    const { unit, good, slow } = FIGURES[name]
    const p75 = percentile(values, 75)
    return {
      name,
      unit,
      count: own.length,
      lastDay: own.filter(({ at }) => at >= since).length,
      median: percentile(values, 50),
      p75,
      p98: percentile(values, 98),
      rating: ratingOf(p75, good, slow),
    }
  })
}

const ratingOf = (p75: number, good: number, slow: number): Rating =>
  p75 <= good ? 'good' : p75 > slow ? 'slow' : 'fair'

/** The percentile by nearest rank, which is always a measured value. @param sorted not empty, ascending */
export const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
