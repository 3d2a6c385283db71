import { useLingui } from '@lingui/react/macro'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { fieldText } from '#data/resources/field-text.ts'
import { useChangeRequest } from '#data/resources/change-requests.ts'
import { Def } from '#ui/layout/defs.tsx'
import { ChangeRequestView } from '#features/request-form/change-request-view.tsx'
import { EditLink } from '#features/request-form/edit-bar.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'

/** The screen 入館・駐車場情報変更依頼詳細. */
export function CustomerLocationViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const shown = useChangeRequest('customerLocationChangeRequests', id)
  if (typeof shown === 'string')
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼詳細`} state={shown} />
  const { change, request } = shown
  const { record, content } = change
  const { parkingType, parkingMethod, inMethod } = inputOf(customerLocationChangeRequest, content ?? {})
  const labels = { parkingType: t`駐車場区分`, parkingMethod: t`駐車方法`, inMethod: t`入館方法` }
  return (
    <ChangeRequestView
      title={t`入館・駐車場情報変更依頼詳細`}
      declaration={customerLocationChangeRequest}
      change={change}
      request={request}
      labels={labels}
      edit={<EditLink to="/customerLocationChangeRequest/$id/edit" params={{ id: change.id }} />}
      editPath={`/customerLocationChangeRequest/${encodeURIComponent(change.id)}/edit`}
    >
      <Def label={labels.parkingType}>
        {fieldText(customerLocationChangeRequest, 'parkingType', parkingType, record.server) || t`なし`}
      </Def>
      <Def label={labels.parkingMethod} long>
        {parkingMethod || t`なし`}
      </Def>
      <Def label={labels.inMethod} long>
        {inMethod || t`なし`}
      </Def>
    </ChangeRequestView>
  )
}
