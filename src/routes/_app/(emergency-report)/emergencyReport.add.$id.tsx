import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { EmergencyAddScreen } from '#features/emergency-report/emergency-form-screens.tsx'

export const Route = createFileRoute('/_app/(emergency-report)/emergencyReport/add/$id')({
  validateSearch: (search): { workingDate?: string } => textParam(search, 'workingDate'),
  component: EmergencyAdd,
})

/** `id` in this URL is the id of a request. */
function EmergencyAdd() {
  const { id } = Route.useParams()
  const workingDate = Route.useSearch({ select: (search) => search.workingDate })
  return <EmergencyAddScreen key={`${id} ${workingDate}`} requestId={id} workingDate={workingDate} />
}
