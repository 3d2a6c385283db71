import { useLingui } from '@lingui/react/macro'
import { CloudOff, Lock, Pencil } from 'lucide-react'
import { ParkingType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { useOnline } from '#data/app-context.tsx'
import { isOffered } from '#data/offline-policy.ts'
import { useChangeRequest } from '#data/use-change-request.ts'
import { ActionBar } from '#ui/action-bar.tsx'
import { BackLink } from '#ui/app-bar.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Def, Defs } from '#ui/defs.tsx'
import { Narrow } from '#ui/desk.tsx'
import { Mark } from '#ui/mark.tsx'
import { SendState } from '#ui/send-state.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { ChangeTitle } from './change-title.tsx'
import { inputOf, type LocationChange } from './rules.ts'

/** 入館・駐車場情報変更依頼詳細. */
export function CustomerLocationViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const shown = useChangeRequest('customerLocationChangeRequests', id)
  if (!shown?.change?.content)
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼詳細`} loading={shown === undefined} />
  return <ChangeView change={shown.change} request={shown.request} />
}

function ChangeView({ change, request }: { change: LocationChange; request: RequestRecord | null }) {
  const { t } = useLingui()
  const { parkingType, parkingMethod, inMethod } = inputOf(change.content ?? {})
  const day = request ? { workingDate: request.workingDate } : {}
  return (
    <RequestFormFrame
      title={t`入館・駐車場情報変更依頼詳細`}
      heading={<ChangeTitle title={t`入館・駐車場情報変更依頼詳細`} />}
      back={<BackLink to="/request/$id" params={{ id: change.record.requestId }} search={day} />}
      request={request}
      footer={<ViewBar change={change} />}
    >
      <Narrow>
        <Defs>
          {change.unsent && (
            <Def label={t`送信状況`}>
              <SendState state={change.unsent} />
            </Def>
          )}
          <Def label={t`駐車場区分`}>{parkingType ? ParkingType.label(parkingType) : t`なし`}</Def>
          <Def label={t`駐車方法`} long>
            {parkingMethod || t`なし`}
          </Def>
          <Def label={t`入館方法`} long>
            {inMethod || t`なし`}
          </Def>
        </Defs>
      </Narrow>
    </RequestFormFrame>
  )
}

/** 編集, or why not. */
function ViewBar({ change: { id, taken } }: { change: LocationChange }) {
  const { t } = useLingui()
  const offered = isOffered('customerLocationChangeRequest', 'edit', useOnline())
  if (offered && !taken)
    return (
      <ActionBar>
        <ButtonLink
          to="/customerLocationChangeRequest/$id/edit"
          params={{ id }}
          variant="primary"
          wide
          icon={Pencil}
        >
          {t`編集`}
        </ButtonLink>
      </ActionBar>
    )
  return (
    <ActionBar>
      <Mark icon={taken ? Lock : CloudOff}>
        {taken ? t`編集できません` : t`オフライン中は登録・編集できません`}
      </Mark>
    </ActionBar>
  )
}
