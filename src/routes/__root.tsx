import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import type { RouterContext } from '#app/guards.ts'
import { ErrorPage } from '#features/error-page/error-page.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: () => <ErrorPage kind="not-found" />,
  errorComponent: () => <ErrorPage kind="internal-server-error" />,
})
