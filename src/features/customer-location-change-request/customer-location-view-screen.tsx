import { useLingui } from '@lingui/react/macro'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { fieldText } from '#data/resources/field-text.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useChangeRequest } from '#data/resources/change-requests.ts'
import { Def } from '#ui/layout/defs.tsx'
import { ChangeRequestView } from '#features/request-form/change-request-view.tsx'
import { EditLink } from '#features/request-form/edit-bar.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import type { LocationChange } from './rules.ts'

/** The screen 入館・駐車場情報変更依頼詳細. */
export function CustomerLocationViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const shown = useChangeRequest('customerLocationChangeRequests', id)
  if (typeof shown === 'string')
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼詳細`} state={shown} />
  return <ChangeView change={shown.change} request={shown.request} />
}

function ChangeView({ change, request }: { change: LocationChange; request: RequestRecord | null }) {
  const { t } = useLingui()
  const { id, record, content } = change
  const { parkingType, parkingMethod, inMethod } = inputOf(customerLocationChangeRequest, content ?? {})
  const labels = { parkingType: t`駐車場区分`, parkingMethod: t`駐車方法`, inMethod: t`入館方法` }
  return (
    <ChangeRequestView
      title={t`入館・駐車場情報変更依頼詳細`}
      declaration={customerLocationChangeRequest}
      change={change}
      request={request}
      labels={labels}
      edit={<EditLink to="/customerLocationChangeRequest/$id/edit" params={{ id }} />}
      editPath={`/customerLocationChangeRequest/${encodeURIComponent(id)}/edit`}
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
