import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { EmergencyListScreen } from '#features/emergency-report/emergency-list-screen.tsx'

export const Route = createFileRoute('/_app/(emergency-report)/emergencyReport/$id')({
  validateSearch: (search): { workingDate?: string } => textParam(search, 'workingDate'),
  component: EmergencyList,
})

/** `id` in this URL is the id of a request. */
function EmergencyList() {
  const { id } = Route.useParams()
  const workingDate = Route.useSearch({ select: (search) => search.workingDate })
  return <EmergencyListScreen key={`${id} ${workingDate}`} requestId={id} workingDate={workingDate} />
}
