import { createFileRoute } from '@tanstack/react-router'
import { contactTypeOf } from '#features/location-contact-change-request/contact-type.ts'
import { ContactEditScreen } from '#features/location-contact-change-request/contact-form-screens.tsx'

export const Route = createFileRoute(
  '/_app/(location-contact-change-request)/locationContactChangeRequest/$id/edit/$type',
)({ beforeLoad: ({ params }) => ({ contactType: contactTypeOf(params.type) }), component: ContactEdit })

function ContactEdit() {
  const { id, type } = Route.useParams()
  const { contactType } = Route.useRouteContext()
  return <ContactEditScreen key={`${id} ${type}`} id={id} contactType={contactType} />
}
