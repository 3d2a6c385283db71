import { createFileRoute } from '@tanstack/react-router'
import { CustomerLocationEditScreen } from '#features/customer-location-change-request/customer-location-form-screens.tsx'

export const Route = createFileRoute(
  '/_app/(customer-location-change-request)/customerLocationChangeRequest/$id_/edit',
)({ component: CustomerLocationEdit })

function CustomerLocationEdit() {
  const { id } = Route.useParams()
  return <CustomerLocationEditScreen key={id} id={id} />
}
