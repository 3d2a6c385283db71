import { createFileRoute } from '@tanstack/react-router'
import { EmergencyEditScreen } from '#features/emergency-report/emergency-form-screens.tsx'

export const Route = createFileRoute('/_app/(emergency-report)/emergencyReport/$id_/edit')({
  component: EmergencyEdit,
})

function EmergencyEdit() {
  const { id } = Route.useParams()
  return <EmergencyEditScreen key={id} id={id} />
}
