import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { inputOf } from '#schemas/declare/form-values.ts'
import {
  locationContactChangeRequest,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { useChangeRequest } from '#data/resources/change-requests.ts'
import { Def } from '#ui/layout/defs.tsx'
import { PhoneLink } from '#ui/request/mini.tsx'
import { ChangeRequestView } from '#features/request-form/change-request-view.tsx'
import { EditLink } from '#features/request-form/edit-bar.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { contactParam } from './contact-type.ts'
import { useContactTexts } from './use-contact-texts.ts'

/** The screens 入館連絡先変更依頼詳細 and 退館連絡先変更依頼詳細. */
export function ContactViewScreen({ id, contactType }: { id: string; contactType: ContactTypeCode }) {
  const { t } = useLingui()
  const { view, labels } = useContactTexts(contactType)
  const found = useChangeRequest('locationContactChangeRequests', id)
  if (typeof found === 'string') return <RequestFormAbsent title={view} state={found} />
  const { change, request } = found
  if (change.record.contactType !== contactType) return <Navigate to="/not-found" replace />
  const type = contactParam(contactType)
  const shown = inputOf(locationContactChangeRequest, change.content ?? {})
  const fields = ['name', 'kana', 'section', 'class', 'staffName', 'means', 'email'] as const
  return (
    <ChangeRequestView
      title={view}
      declaration={locationContactChangeRequest}
      change={change}
      request={request}
      labels={labels}
      edit={<EditLink to="/locationContactChangeRequest/$id/edit/$type" params={{ id: change.id, type }} />}
      editPath={`/locationContactChangeRequest/${encodeURIComponent(change.id)}/edit/${type}`}
    >
      {fields.map((field) => (
        <Def key={field} label={labels[field]} long>
          {shown[field] || t`なし`}
        </Def>
      ))}
      <Def label={labels.tel1} long action={shown.tel1 && <PhoneLink number={shown.tel1} />}>
        {shown.tel1 || t`なし`}
      </Def>
    </ChangeRequestView>
  )
}
