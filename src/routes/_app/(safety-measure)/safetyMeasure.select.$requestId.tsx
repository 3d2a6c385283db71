import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { SafetySelectScreen } from '#features/safety-measure/safety-select-screen.tsx'

export const Route = createFileRoute('/_app/(safety-measure)/safetyMeasure/select/$requestId')({
  validateSearch: (search): { safetyType?: string; workingDateType?: string; workingDate?: string } => ({
    ...textParam(search, 'safetyType'),
    // The parameter may be empty, because the CRM may return requests without `workingDateType`.
    ...textParam(search, 'workingDateType', 'is-one'),
    ...textParam(search, 'workingDate'),
  }),
  component: SafetySelect,
})

function SafetySelect() {
  const { requestId } = Route.useParams()
  const workingDate = Route.useSearch({ select: (search) => search.workingDate })
  const workingDateType = Route.useSearch({ select: (search) => search.workingDateType })
  const safetyType = Route.useSearch({ select: (search) => search.safetyType })
  return (
    <SafetySelectScreen
      key={`${requestId} ${workingDate} ${safetyType}`}
      requestId={requestId}
      workingDate={workingDate}
      workingDateType={workingDateType}
      safetyType={safetyType}
    />
  )
}
