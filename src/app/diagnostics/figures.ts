/**
 * Field figures of this device (`lib/field-figures.ts`): times that web-vitals and the app's own User Timing measure
 * while the app is used. They contain nothing about a person, so they belong to the device and survive a logout (sync
 * RULES EX6, decisions/telemetry).
 */
import { onCLS, onINP, onLCP } from 'web-vitals'
import { FIGURES, isFigureName, type FigureName } from '#lib/field-figures.ts'
import { createRecorder } from './recorder.ts'
import { openDiagnostics } from './store.ts'

/** Longer times are ignored, because the page was suspended meanwhile. */
const LONGEST_MS = 3_600_000

export type Figures = ReturnType<typeof openFigures>

/** @param now epoch ms */
export function openFigures(now: () => number, later?: (write: () => void) => void) {
  const recorder = createRecorder(openDiagnostics({ scope: '', now, user: () => '' }), later)
  return {
    /**
     * Notes one measurement.
     * @param route pattern of the route on screen
     * @param id of a measurement that grows (web-vitals): the later value replaces the earlier one
     */
    add(name: FigureName, value: number, route: string, id: string = crypto.randomUUID()): void {
      const { unit } = FIGURES[name]
      if (!Number.isFinite(value) || value < 0 || value > LONGEST_MS) return
      const factor = unit === 'ms' ? 1 : 10_000
      recorder.add('figure', { id, name, value: Math.round(value * factor) / factor, unit, route })
    },
    /** All of the last seven days, oldest first; the last 200 of each name. */
    read: () => recorder.read('figure'),
  }
}

/** Measures for the whole life of the page, and from its start: both observers are buffered. */
export function watchFigures(figures: Pick<Figures, 'add'>, route: () => string): void {
  for (const watch of [onINP, onLCP, onCLS])
    watch(({ name, value, id }) => figures.add(name, value, route(), id), { reportAllChanges: true })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const name = figureOf(entry, hiddenAt())
      if (name !== null) figures.add(name, entry.duration, route())
    }
  })
  observer.observe({ type: 'measure', buffered: true })
}

/**
 * Figures that are measured from the navigation. They are ignored if the page was hidden before their end, because
 * nobody waited for it.
 */
const FROM_NAVIGATION: readonly FigureName[] = ['app:first-rows', 'app:operable']

/**
 * The figure that a User Timing measure belongs to; undefined if it belongs to none.
 * @param hidden when the page was first hidden, in ms since its start; Infinity if never
 */
export function figureOf(
  { name, startTime, duration }: Pick<PerformanceEntry, 'name' | 'startTime' | 'duration'>,
  hidden: number,
): FigureName | null {
  if (!isFigureName(name)) return null
  const isStart = FROM_NAVIGATION.includes(name)
  if (isStart && hidden < startTime + duration) return null
  // A screen opened by its URL has no touch before it. That is a start, which has its own figure.
  const isTouched = isStart || !name.startsWith('app:') || startTime > 0
  return isTouched ? name : null
}

/** Only Chromium reports past visibility; elsewhere the current one counts. */
function hiddenAt(): number {
  const hidden = performance.getEntriesByType('visibility-state').find(({ name }) => name === 'hidden')
  return hidden?.startTime ?? (document.visibilityState === 'hidden' ? 0 : Infinity)
}
