import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { fieldText } from '#data/resources/field-text.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useChangeRequest } from '#data/resources/change-requests.ts'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Def } from '#ui/layout/defs.tsx'
import { ChangeRequestView } from '#features/request-form/change-request-view.tsx'
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
      slug="customerLocationChangeRequest"
      title={t`入館・駐車場情報変更依頼詳細`}
      declaration={customerLocationChangeRequest}
      change={change}
      request={request}
      labels={labels}
      edit={
        <ButtonLink
          to="/customerLocationChangeRequest/$id/edit"
          params={{ id }}
          variant="primary"
          wide
          icon={Pencil}
        >
          {t`編集`}
        </ButtonLink>
      }
      takeBack={{
        draftKey: `customerLocationChangeRequest/edit/${record.requestId}`,
        path: `/customerLocationChangeRequest/${encodeURIComponent(id)}/edit`,
        valuesOf: (fields) => inputOf(customerLocationChangeRequest, { ...content, ...fields }),
      }}
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
