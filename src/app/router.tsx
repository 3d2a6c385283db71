import {
  createBrowserHistory,
  createRouter,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router'
import type { Session } from '#schemas/device/session.ts'
import { afterPaint } from '#lib/time/user-timing.ts'
import { isOverScreen, placeKey } from '#ui/controls/path-link.tsx'
import { routeTree } from '../routeTree.gen.ts'

/** Creates the router. Search parameters are plain text, not JSON. @param report gets errors that screens throw */
export const createAppRouter = (session: () => Session | null, report: (error: unknown) => void) =>
  createRouter({
    routeTree,
    history: historyAfterPaint(),
    defaultOnCatch: report,
    context: { session },
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    // Restoring the same position would force a layout while a popup opens.
    scrollRestoration: ({ location }) => !isOverScreen(location),
    getScrollRestorationKey: placeKey,
  })

/** The browser's history. The router renders a new location once the press that caused it is painted. */
function historyAfterPaint() {
  const history = createBrowserHistory()
  const { subscribe } = history
  history.subscribe = (load) =>
    subscribe((event) => {
      // A hidden page paints no frames.
      if (document.hidden) load(event)
      else afterPaint(() => load(event))
    })
  return history
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
