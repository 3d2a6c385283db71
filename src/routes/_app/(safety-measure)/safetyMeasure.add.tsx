import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { SafetyAddScreen } from '#features/safety-measure/safety-form-screens.tsx'

interface AddSearch {
  requestId?: string
  safetyType?: string
  workingDateType?: string
  workingDate?: string
}

const ownSearch = (search: object): AddSearch => ({
  ...textParam(search, 'requestId'),
  ...textParam(search, 'safetyType'),
  ...textParam(search, 'workingDateType'),
  ...textParam(search, 'workingDate'),
})

export const Route = createFileRoute('/_app/(safety-measure)/safetyMeasure/add')({
  validateSearch: ownSearch,
  component: SafetyAdd,
})

function SafetyAdd() {
  const query = Route.useSearch({ select: ownSearch, structuralSharing: true })
  const { requestId, safetyType, workingDate } = query
  return <SafetyAddScreen key={`${requestId} ${safetyType} ${workingDate}`} query={query} />
}
