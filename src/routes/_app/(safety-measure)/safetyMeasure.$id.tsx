import { createFileRoute } from '@tanstack/react-router'
import { SafetyViewScreen } from '#features/safety-measure/safety-view-screen.tsx'

export const Route = createFileRoute('/_app/(safety-measure)/safetyMeasure/$id')({ component: SafetyView })

function SafetyView() {
  const { id } = Route.useParams()
  return <SafetyViewScreen key={id} id={id} />
}
