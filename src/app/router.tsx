import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import type { Session } from '#schemas/device/session.ts'
import { isOverScreen, placeKey } from '#ui/controls/path-link.tsx'
import { routeTree } from '../routeTree.gen.ts'

/** Creates the router. Search parameters are plain text, not JSON. @param report gets errors that screens throw */
export const createAppRouter = (session: () => Session | null, report: (error: unknown) => void) =>
  createRouter({
    routeTree,
    defaultOnCatch: report,
    context: { session },
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    // Restoring the same position would force a layout while a popup opens.
    scrollRestoration: ({ location }) => !isOverScreen(location),
    getScrollRestorationKey: placeKey,
  })

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
