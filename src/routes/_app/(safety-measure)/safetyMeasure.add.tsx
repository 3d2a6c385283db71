import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { SafetyAddScreen } from '#features/safety-measure/safety-add-screen.tsx'

interface AddSearch {
  requestId?: string
  safetyType?: string
  workingDateType?: string
  workingDate?: string
}

export const Route = createFileRoute('/_app/(safety-measure)/safetyMeasure/add')({
  validateSearch: (search): AddSearch => ({
    ...textParam(search, 'requestId'),
    ...textParam(search, 'safetyType'),
    ...textParam(search, 'workingDateType'),
    ...textParam(search, 'workingDate'),
  }),
  component: SafetyAdd,
})

function SafetyAdd() {
  const query = Route.useSearch()
  const { requestId, safetyType, workingDate } = query
  return <SafetyAddScreen key={`${requestId} ${safetyType} ${workingDate}`} query={query} />
}
