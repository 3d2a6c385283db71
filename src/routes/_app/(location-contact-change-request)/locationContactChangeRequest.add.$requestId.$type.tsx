import { createFileRoute } from '@tanstack/react-router'
import { contactTypeOf } from '#features/location-contact-change-request/contact-type.ts'
import { ContactAddScreen } from '#features/location-contact-change-request/contact-form-screens.tsx'

export const Route = createFileRoute(
  '/_app/(location-contact-change-request)/locationContactChangeRequest/add/$requestId/$type',
)({ beforeLoad: ({ params }) => ({ contactType: contactTypeOf(params.type) }), component: ContactAdd })

function ContactAdd() {
  const { requestId, type } = Route.useParams()
  const { contactType } = Route.useRouteContext()
  return <ContactAddScreen key={`${requestId} ${type}`} requestId={requestId} contactType={contactType} />
}
