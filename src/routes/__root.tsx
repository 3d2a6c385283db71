import { createRootRouteWithContext, Navigate, Outlet } from '@tanstack/react-router'
import type { RouterContext } from '#app/guards.ts'
import { FailedScreen } from '#features/error-page/error-page.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: () => <Navigate to="/not-found" replace />,
  errorComponent: ({ error }) => <FailedScreen error={error} />,
})
