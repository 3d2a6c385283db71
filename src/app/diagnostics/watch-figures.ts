/**
 * Measures while the app is used: web-vitals, and the app's own User Timing. Loaded when idle; both look back at what was
 * measured before they came (`buffered`).
 */
import { onCLS, onINP, onLCP } from 'web-vitals'
import { isFigureName, type FigureName } from '#lib/field-figures.ts'
import type { Figures } from './figures.ts'

/** From the navigation on: a page that was opened out of sight was not waited for. */
const FROM_NAVIGATION: readonly FigureName[] = ['app:first-rows', 'app:operable']

interface Page {
  performance: Pick<Performance, 'getEntriesByType'>
  document: Document
}

/** For the whole life of the page. */
export function watchFigures(figures: Pick<Figures, 'add'>, page: Page): void {
  // told as it grows: a phone may end a page without a word
  const vitals = { reportAllChanges: true }
  for (const watch of [onINP, onLCP, onCLS])
    watch(({ name, value, id }) => isFigureName(name) && figures.add(name, value, id), vitals)
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const name = figureOf(entry, hiddenAt(page))
      if (name !== null) figures.add(name, entry.duration)
    }
  })
  observer.observe({ type: 'measure', buffered: true })
}

/**
 * Which figure a measure is, if any.
 * @param hidden when the page was first out of sight, in its milliseconds; Infinity: never
 */
export function figureOf(
  { name, startTime, duration }: Pick<PerformanceEntry, 'name' | 'startTime' | 'duration'>,
  hidden: number,
): FigureName | null {
  if (!isFigureName(name)) return null
  const isStart = FROM_NAVIGATION.includes(name)
  if (isStart && hidden < startTime + duration) return null
  // a screen that was opened by its address has no touch before it: it is a start, and that is measured
  const isTouched = isStart || !name.startsWith('app:') || startTime > 0
  return isTouched ? name : null
}

/** Only Chromium tells it of the time before; elsewhere what counts is whether it is out of sight now. */
function hiddenAt({ performance, document }: Page): number {
  const hidden = performance.getEntriesByType('visibility-state').find(({ name }) => name === 'hidden')
  return hidden?.startTime ?? (document.visibilityState === 'hidden' ? 0 : Infinity)
}
