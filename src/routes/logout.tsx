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
  // whoever logs out by choice comes without a way back, and is forgotten whole
  return (
    <LogoutScreen search={search} timedOut={session?.expired === true && search.redirect !== undefined} />
  )
}
