import { createFileRoute } from '@tanstack/react-router'
import { textParam } from '#app/search-params.ts'
import { SafetySelectScreen } from '#features/safety-measure/safety-select-screen.tsx'

export const Route = createFileRoute('/_app/(safety-measure)/safetyMeasure/select/$requestId')({
  validateSearch: (search): { workingDateType?: string; workingDate?: string } => ({
    ...textParam(search, 'workingDateType'),
    ...textParam(search, 'workingDate'),
  }),
  component: SafetySelect,
})

function SafetySelect() {
  const { requestId } = Route.useParams()
  const workingDate = Route.useSearch({ select: (search) => search.workingDate })
  const workingDateType = Route.useSearch({ select: (search) => search.workingDateType })
  return (
    <SafetySelectScreen
      key={`${requestId} ${workingDate}`}
      requestId={requestId}
      workingDate={workingDate}
      workingDateType={workingDateType}
    />
  )
}
