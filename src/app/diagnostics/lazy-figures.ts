/** The field figures, whose code and store come once the first screen stands, or somebody asks for them. */
import { whenIdle } from '#sync/lib/yield-to-screen.ts'
import type { Figures } from './figures.ts'

export interface LazyFigures {
  load(): Promise<Figures>
  /** Measures from now on, when the screen needs nothing. @param route pattern of the route on screen */
  watch(route: () => string): Promise<void>
}

/** @param now epoch ms */
export function createLazyFigures(now: () => number): LazyFigures {
  let route = () => ''
  let loaded: Promise<Figures> | null = null
  const load = () => {
    loaded ??= import('./figures.ts').then(({ openFigures }) => openFigures({ now, route: () => route() }))
    // its code was not to be had: the next one asks again
    loaded.catch(() => (loaded = null))
    return loaded
  }
  return {
    load,
    async watch(shown) {
      route = shown
      await whenIdle()
      const [figures, { watchFigures }] = await Promise.all([load(), import('./watch-figures.ts')])
      watchFigures(figures, { performance, document })
    },
  }
}
