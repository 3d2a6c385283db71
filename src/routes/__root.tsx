import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import type { RouterContext } from '#app/guards.ts'
import { ErrorPage, FailedScreen } from '#features/error-page/error-page.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: () => <ErrorPage kind="not-found" />,
  errorComponent: ({ error }) => <FailedScreen error={error} />,
})
