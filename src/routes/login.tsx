import { createFileRoute } from '@tanstack/react-router'
import { requireGuest } from '#app/guards.ts'
import { textParam } from '#app/search-params.ts'
import { LoginScreen } from '#features/session/login-screen.tsx'

export const Route = createFileRoute('/login')({
  validateSearch: (search): { redirect?: string; autoclose?: 'yes'; userName?: string } => ({
    ...textParam(search, 'redirect'),
    ...textParam(search, 'userName'),
    ...(search['autoclose'] === 'yes' && { autoclose: 'yes' }),
  }),
  beforeLoad: requireGuest,
  component: Login,
})

function Login() {
  const { autoclose, ...search } = Route.useSearch()
  const session = Route.useRouteContext().session()
  return (
    <LoginScreen
      {...search}
      {...(autoclose && { autoclose: true })}
      {...(session && { timedOut: true, userName: search.userName ?? session.userName })}
    />
  )
}
