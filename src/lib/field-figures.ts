/**
 * Field figures: how fast the app is on this device, as the user experiences it. This table defines them. The stored
 * figures (`app/diagnostics/figures.ts`) have no personal data and no URL, only the route's pattern.
 */

/** `score`: the unitless layout shift score of web-vitals. */
export type FigureUnit = 'ms' | 'score'

interface FigureRule {
  unit: FigureUnit
  /** Up to `good` is good, above `slow` is slow, measured at the 75th percentile (web.dev/articles/vitals). */
  good: number
  slow: number
}

/**
 * The first three are web-vitals with their official limits. The other figures are User Timing measures of the same name
 * (`user-timing.ts`, `sync/runtime`).
 */
export const FIGURES = {
  /** Time from touch or key to the next paint: the slowest of a page visit. */
  INP: { unit: 'ms', good: 200, slow: 500 },
  /** Time from navigation to the paint of the largest element of the first screen. */
  LCP: { unit: 'ms', good: 2_500, slow: 4_000 },
  /** How much the content on screen moved by itself. */
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
  /** Id of one measurement. INP, LCP and CLS are reported again with the same id while they grow. */
  id: string
  name: FigureName
  value: number
  unit: FigureUnit
  /** Time of the measurement, ISO 8601. */
  at: string
  /** Pattern of the screen's route (`/request/$id`), never its URL. */
  route: string
}

export type Rating = 'good' | 'fair' | 'slow'

export interface FigureSummary {
  name: FigureName
  unit: FigureUnit
  count: number
  /** Number of measurements in the last 24 hours. */
  lastDay: number
  median: number
  p75: number
  p98: number
  rating: Rating
}

const DAY_MS = 24 * 3_600_000

/** Summarises every measured figure, in the order of the table. @param now epoch ms */
export function summariesOf(figures: readonly Figure[], now: number): FigureSummary[] {
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
      rating: p75 <= good ? ('good' as const) : p75 > slow ? ('slow' as const) : ('fair' as const),
    }
  })
}

/** Returns the percentile by nearest rank, which is always a measured value. @param sorted not empty, ascending */
export const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
