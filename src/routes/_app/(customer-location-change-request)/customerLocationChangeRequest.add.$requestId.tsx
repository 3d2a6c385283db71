import { createFileRoute } from '@tanstack/react-router'
import { CustomerLocationAddScreen } from '#features/customer-location-change-request/customer-location-form-screens.tsx'

export const Route = createFileRoute(
  '/_app/(customer-location-change-request)/customerLocationChangeRequest/add/$requestId',
)({ component: CustomerLocationAdd })

function CustomerLocationAdd() {
  const { requestId } = Route.useParams()
  return <CustomerLocationAddScreen key={requestId} requestId={requestId} />
}
