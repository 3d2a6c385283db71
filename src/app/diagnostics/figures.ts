/**
 * Field figures of this device (`lib/field-figures.ts`): times that web-vitals and the app's own User Timing measure
 * while the app is used. They contain nothing about a person, so they belong to the device and survive a logout (sync
 * RULES EX6, decisions/telemetry).
 */
import { onCLS, onINP, onLCP } from 'web-vitals'
import { FIGURES, isFigureName, type FigureName } from '#lib/field-figures.ts'
import { isFromNavigation } from '#lib/time/user-timing.ts'
import { createRecorder } from './recorder.ts'
import { openDiagnostics } from './store.ts'

/** Longer times are ignored, because the page was suspended meanwhile. */
const MAX_MS = 3_600_000

export type Figures = ReturnType<typeof openFigures>

/** @param now epoch ms */
export function openFigures(now: () => number, later?: (write: () => void) => void) {
  const recorder = createRecorder(openDiagnostics({ scope: '', now, user: () => '' }), later)
  return {
    /**
     * Notes one measurement.
     * @param route pattern of the route on screen
     * @param id a later value with the same id replaces the earlier one: web-vitals report values that grow
     */
    add(name: FigureName, value: number, route: string, id: string = crypto.randomUUID()): void {
      const { unit } = FIGURES[name]
      if (!Number.isFinite(value) || value < 0 || value > MAX_MS) return
      const factor = unit === 'ms' ? 1 : 10_000
      recorder.add('figure', { id, name, value: Math.round(value * factor) / factor, unit, route })
    },
    /** Returns the figures of the last seven days, oldest first, at most 200 of each name. */
    read: () => recorder.read('figure'),
  }
}

/** Measures until the page closes. Buffered observers also report measurements from before this call. */
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
 * Returns the figure that a User Timing measure belongs to; null if it belongs to none.
 * @param hidden when the page was first hidden, in ms since its start; Infinity if never
 */
export function figureOf(
  { name, startTime, duration }: Pick<PerformanceEntry, 'name' | 'startTime' | 'duration'>,
  hidden: number,
): FigureName | null {
  if (!isFigureName(name)) return null
  // Nobody waits for the start of a hidden page.
  if (isFromNavigation(name)) return hidden < startTime + duration ? null : name
  // A screen opened by its URL has no touch before it. That is a start, which has its own figure.
  return name.startsWith('app:') && startTime === 0 ? null : name
}

/** Only Chromium reports past visibility. For other browsers the current visibility is used. */
function hiddenAt(): number {
  const hidden = performance.getEntriesByType('visibility-state').find(({ name }) => name === 'hidden')
  return hidden?.startTime ?? (document.visibilityState === 'hidden' ? 0 : Infinity)
}
