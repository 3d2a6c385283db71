import { createFileRoute } from '@tanstack/react-router'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'

export const Route = createFileRoute('/_app/request/')({
  validateSearch: (search): { select?: true } =>
    String(search['select']) === 'true' ? { select: true } : {},
  component: RequestSearch,
})

function RequestSearch() {
  return <RequestSearchScreen select={Route.useSearch({ select: ({ select }) => select === true })} />
}
