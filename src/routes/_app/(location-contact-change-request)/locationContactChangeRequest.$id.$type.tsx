import { createFileRoute } from '@tanstack/react-router'
import { contactTypeOf } from '#features/location-contact-change-request/contact-type.ts'
import { ContactViewScreen } from '#features/location-contact-change-request/contact-view-screen.tsx'

export const Route = createFileRoute(
  '/_app/(location-contact-change-request)/locationContactChangeRequest/$id/$type',
)({ beforeLoad: ({ params }) => ({ contactType: contactTypeOf(params.type) }), component: ContactView })

function ContactView() {
  const { id, type } = Route.useParams()
  const { contactType } = Route.useRouteContext()
  return <ContactViewScreen key={`${id} ${type}`} id={id} contactType={contactType} />
}
