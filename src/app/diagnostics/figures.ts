/** Performance figures of this device. They have no personal data, so they survive a logout (sync RULES EX6). */
import { onCLS, onINP, onLCP } from 'web-vitals'
import { FIGURES, isFigureName, type FigureName } from '#lib/field-figures.ts'
import { isFromNavigation } from '#lib/time/user-timing.ts'
import { createRecorder } from './recorder.ts'
import { openDiagnostics } from './store.ts'

/** A longer time is ignored, because it includes a time during which the page was suspended. */
const MAX_MS = 3_600_000

export type Figures = ReturnType<typeof openFigures>

/** @param now epoch ms */
export function openFigures(now: () => number, later?: (write: () => void) => void) {
  const recorder = createRecorder(openDiagnostics({ scope: '', now, user: () => '' }), later)
  return {
    /** Stores a measurement. One with the same id replaces the earlier, because web-vitals reports growing values. */
    add(name: FigureName, value: number, route: string, id: string = crypto.randomUUID()): void {
      const { unit } = FIGURES[name]
      if (!Number.isFinite(value) || value < 0 || value > MAX_MS) return
      const factor = unit === 'ms' ? 1 : 10_000
      recorder.add('figure', { id, name, value: Math.round(value * factor) / factor, unit, route })
    },
    read: () => recorder.read('figure'),
  }
}

/** Measures until the page closes. Measurements that the browser buffered before this call are included. */
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

/** The figure's name for a measure; null if it does not count. @param hidden ms until the page was first hidden */
export function figureOf(
  { name, startTime, duration }: Pick<PerformanceEntry, 'name' | 'startTime' | 'duration'>,
  hidden: number,
): FigureName | null {
  if (!isFigureName(name)) return null
  // A start whose page was hidden meanwhile does not count, because nobody waited for it.
  if (isFromNavigation(name)) return hidden < startTime + duration ? null : name
  // A measure that starts at 0 belongs to a screen that was opened by its URL, not by a tap.
  return name.startsWith('app:') && startTime === 0 ? null : name
}

/** Ms until the page was first hidden. Only Chromium reports it; elsewhere a page hidden now counts from 0. */
function hiddenAt(): number {
  const hidden = performance.getEntriesByType('visibility-state').find(({ name }) => name === 'hidden')
  return hidden?.startTime ?? (document.visibilityState === 'hidden' ? 0 : Infinity)
}
