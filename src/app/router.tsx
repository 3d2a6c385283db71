import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router'
import type { Session } from '#schemas/session.ts'
import { placeKey } from '#ui/popup/push-once.ts'
import { routeTree } from '../routeTree.gen.ts'

/**
 * The router; search parameters are plain text in the URL, as a person would write them.
 * @param session who is signed in now
 * @param report told of what a screen threw
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
