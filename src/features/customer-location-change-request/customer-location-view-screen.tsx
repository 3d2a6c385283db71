import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { customerLocationChangeRequest } from '#schemas/customer-location-change-request.ts'
import { inputOf } from '#schemas/form-values.ts'
import { ParkingType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { useChangeRequest } from '#data/use-change-request.ts'
import { useLeaveForm } from '#data/use-leave-form.ts'
import { BackButton } from '#ui/app-bar.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { useOffered } from '#data/use-offline-policy.ts'
import { ChangeHistory } from '#features/request-form/change-history.tsx'
import { EditBar } from '#features/request-form/edit-bar.tsx'
import { UnsentDef } from '#features/request-form/unsent-def.tsx'
import { Narrow } from '#ui/desk.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import type { LocationChange } from './rules.ts'

/** 入館・駐車場情報変更依頼詳細. */
export function CustomerLocationViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const shown = useChangeRequest('customerLocationChangeRequests', id)
  if (typeof shown === 'string')
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼詳細`} state={shown} />
  return <ChangeView change={shown.change} request={shown.request} />
}

function ChangeView({ change, request }: { change: LocationChange; request: RequestRecord | null }) {
  const { t } = useLingui()
  const offered = useOffered('customerLocationChangeRequest', 'edit')
  const leave = useLeaveForm()
  const { parkingType, parkingMethod, inMethod } = inputOf(
    customerLocationChangeRequest,
    change.content ?? {},
  )
  return (
    <RequestFormFrame
      title={t`入館・駐車場情報変更依頼詳細`}
      back={<BackButton onClick={() => void leave(change.record.requestId)} />}
      request={request}
      footer={
        <EditBar slug="customerLocationChangeRequest" taken={change.taken}>
          <ButtonLink
            to="/customerLocationChangeRequest/$id/edit"
            params={{ id: change.id }}
            variant="primary"
            wide
            icon={Pencil}
          >
            {t`編集`}
          </ButtonLink>
        </EditBar>
      }
    >
      <Narrow>
        <Defs>
          <UnsentDef state={change.unsent} />
          <Def label={t`駐車場区分`}>{parkingType ? ParkingType.label(parkingType) : t`なし`}</Def>
          <Def label={t`駐車方法`} long>
            {parkingMethod || t`なし`}
          </Def>
          <Def label={t`入館方法`} long>
            {inMethod || t`なし`}
          </Def>
        </Defs>
        <ChangeHistory
          declaration={customerLocationChangeRequest}
          history={change.record.history}
          now={change.content ?? {}}
          labels={{ parkingType: t`駐車場区分`, parkingMethod: t`駐車方法`, inMethod: t`入館方法` }}
          takeBack={
            change.taken || !offered
              ? null
              : {
                  draftKey: `customerLocationChangeRequest/edit/${change.record.requestId}`,
                  path: `/customerLocationChangeRequest/${encodeURIComponent(change.id)}/edit`,
                  valuesOf: (fields) =>
                    inputOf(customerLocationChangeRequest, { ...change.content, ...fields }),
                }
          }
        />
      </Narrow>
    </RequestFormFrame>
  )
}
