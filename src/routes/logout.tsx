import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { LogoutScreen } from '#features/session/logout-screen.tsx'

export const Route = createFileRoute('/logout')({
  validateSearch: (search): { redirect?: string } => textParam(search, 'redirect'),
  component: Logout,
})

function Logout() {
  return <LogoutScreen search={Route.useSearch()} />
}
