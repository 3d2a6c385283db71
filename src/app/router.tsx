import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import type { Session } from '#schemas/device/session.ts'
import { placeKey } from '#ui/controls/push-once.ts'
import { routeTree } from '../routeTree.gen.ts'

/**
 * Creates the router. Search parameters are plain text in the URL, not JSON.
 * @param session returns the current session
 * @param report called with each error that a screen throws
 */
export const createAppRouter = (session: () => Session | null, report: (error: unknown) => void) =>
  createRouter({
    routeTree,
    defaultOnCatch: report,
    context: { session },
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    scrollRestoration: true,
    getScrollRestorationKey: placeKey,
  })

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
