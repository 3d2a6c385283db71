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
  // `timedOut` adds a text about the time-out. Without `redirect` there is no such text, because the user has chosen to
  // log out.
  return (
    <LogoutScreen search={search} timedOut={session?.expired === true && search.redirect !== undefined} />
  )
}
