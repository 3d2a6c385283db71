import { Navigate } from '@tanstack/react-router'
import {
  locationContactChangeRequest,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { useChangeRequest } from '#data/resources/change-requests.ts'
import { PhoneLink } from '#ui/request/mini.tsx'
import { ChangeRequestView } from '#features/request-form/change-request-view.tsx'
import { EditLink } from '#features/request-form/edit-bar.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { contactParam } from './contact-type.ts'
import { useContactTexts } from './use-contact-texts.ts'

/** The screens 入館連絡先変更依頼詳細 and 退館連絡先変更依頼詳細. */
export function ContactViewScreen({ id, contactType }: { id: string; contactType: ContactTypeCode }) {
  const { view, labels } = useContactTexts(contactType)
  const found = useChangeRequest('locationContactChangeRequests', id)
  if (typeof found === 'string') return <RequestFormAbsent title={view} state={found} />
  const { change } = found
  if (change.record.contactType !== contactType) return <Navigate to="/not-found" replace />
  const type = contactParam(contactType)
  return (
    <ChangeRequestView
      {...found}
      title={view}
      declaration={locationContactChangeRequest}
      labels={labels}
      action={(name, text) => name === 'tel1' && text && <PhoneLink number={text} />}
      edit={<EditLink to="/locationContactChangeRequest/$id/edit/$type" params={{ id: change.id, type }} />}
      editPath={`/locationContactChangeRequest/${encodeURIComponent(change.id)}/edit/${type}`}
    />
  )
}
