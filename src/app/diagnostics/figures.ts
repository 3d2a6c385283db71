/**
 * The field figures of this device (`lib/field-figures.ts`), in a store of its own: of everyone who uses it, because they
 * say nothing of anybody. Each name has a list of its own, so that saves do not push out what is measured once a start. A
 * logout leaves them; they are gone after a week, and when the device is cleared of its CRM (sync RULES EX6,
 * decisions/telemetry).
 *
 *     watch-figures.ts ─→ add ─→ kept, and told to whoever listens
 *
 * Nothing is sent from here.
 */
import { FIGURES, figureNames, isFigureName, type Figure, type FigureName } from '#lib/field-figures.ts'
import { hasShapeOf } from '#lib/browser/stored-json.ts'
import { createKeptRing, type KeptRing } from './kept-ring.ts'

/** Of each name. */
const MOST = 200
const KEPT_MS = 7 * 24 * 3_600_000
/** A value of a page that stood still for days says nothing. */
const LONGEST_MS = 3_600_000

export interface Figures {
  /**
   * Notes one measurement.
   * @param id of one that grows (web-vitals): a later value takes its place
   */
  add(name: FigureName, value: number, id?: string): void
  /** All of the last seven days, oldest first; of each name the last 200. */
  read(): Promise<Figure[]>
  /** Told of each figure as it is measured, also of one that grew. @returns stops it */
  subscribe(listener: (figure: Figure) => void): () => void
  clear(): Promise<void>
}

interface Parts {
  /** Epoch ms. */
  now: () => number
  /** Pattern of the route that is on screen now. */
  route: () => string
  ring?: KeptRing<Figure>
}

export function openFigures({ now, route, ring = figureRing() }: Parts): Figures {
  const listeners = new Set<(figure: Figure) => void>()
  return {
    add(name, value, id = crypto.randomUUID()) {
      const { unit } = FIGURES[name]
      if (!Number.isFinite(value) || value < 0 || value > LONGEST_MS) return
      const at = new Date(now()).toISOString()
      const figure: Figure = { id, name, value: rounded(value, unit), unit, at, route: route() }
      ring.add(name, figure)
      for (const listener of listeners) listener(figure)
    },
    async read() {
      const since = new Date(now() - KEPT_MS).toISOString()
      const lists = await ring.read()
      return figureNames
        .flatMap((name) => lists.get(name) ?? [])
        .filter(({ at }) => at >= since)
        .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    clear: ring.clear,
  }
}

export const figureRing = (later?: (write: () => void) => void) =>
  createKeptRing<Figure>({
    name: 'genba-figures',
    most: MOST,
    isEntry: (value): value is Figure => hasShapeOf(value, EXAMPLE) && isFigureName(value.name),
    isSame: (one, other) => one.id === other.id,
    ...(later && { later }),
  })

const EXAMPLE: Omit<Figure, 'name'> & { name: string } = {
  id: '',
  name: '',
  value: 0,
  unit: 'ms',
  at: '',
  route: '',
}

const rounded = (value: number, unit: Figure['unit']) =>
  unit === 'ms' ? Math.round(value) : Math.round(value * 10_000) / 10_000
