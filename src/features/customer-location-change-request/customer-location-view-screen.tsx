import { useLingui } from '@lingui/react/macro'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { useChangeRequest } from '#data/resources/change-requests.ts'
import { ChangeRequestView } from '#features/request-form/change-request-view.tsx'
import { EditLink } from '#features/request-form/edit-bar.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'

/** The screen 入館・駐車場情報変更依頼詳細. */
export function CustomerLocationViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const title = t`入館・駐車場情報変更依頼詳細`
  const shown = useChangeRequest('customerLocationChangeRequests', id)
  if (typeof shown === 'string') return <RequestFormAbsent title={title} state={shown} />
  const { id: changeId } = shown.change
  return (
    <ChangeRequestView
      {...shown}
      title={title}
      declaration={customerLocationChangeRequest}
      labels={{ parkingType: t`駐車場区分`, parkingMethod: t`駐車方法`, inMethod: t`入館方法` }}
      edit={<EditLink to="/customerLocationChangeRequest/$id/edit" params={{ id: changeId }} />}
      editPath={`/customerLocationChangeRequest/${encodeURIComponent(changeId)}/edit`}
    />
  )
}
