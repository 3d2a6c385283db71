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
  // `timedOut` adds the text that the session has timed out. Without `redirect`, the user has chosen to log out and
  // needs no such text.
  return (
    <LogoutScreen search={search} timedOut={session?.expired === true && search.redirect !== undefined} />
  )
}
