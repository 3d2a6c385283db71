import { createFileRoute } from '@tanstack/react-router'
import { SafetyEditScreen } from '#features/safety-measure/safety-form-screens.tsx'

export const Route = createFileRoute('/_app/(safety-measure)/safetyMeasure/$id_/edit')({
  component: SafetyEdit,
})

function SafetyEdit() {
  const { id } = Route.useParams()
  return <SafetyEditScreen key={id} id={id} />
}
