import { createFileRoute } from '@tanstack/react-router'
import { CustomerLocationViewScreen } from '#features/customer-location-change-request/customer-location-view-screen.tsx'

export const Route = createFileRoute(
  '/_app/(customer-location-change-request)/customerLocationChangeRequest/$id',
)({ component: CustomerLocationView })

function CustomerLocationView() {
  const { id } = Route.useParams()
  return <CustomerLocationViewScreen key={id} id={id} />
}
