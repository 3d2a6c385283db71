import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { LogoutScreen } from '#features/session/logout-screen.tsx'

export const Route = createFileRoute('/logout')({
  validateSearch: (search): { redirect?: string } => textParam(search, 'redirect'),
  component: Logout,
})

function Logout() {
  const search = Route.useSearch()
  const session = Route.useRouteContext().session()
  // A logout by the user has no `redirect`, and also removes an expired session.
  return (
    <LogoutScreen search={search} timedOut={session?.expired === true && search.redirect !== undefined} />
  )
}
