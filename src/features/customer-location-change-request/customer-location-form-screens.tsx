import { useLingui } from '@lingui/react/macro'
import { RegistrationStatus } from '#schemas/codes.ts'
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { messageText } from '#messages/messages.ts'
import { registration, useChangeRequest, useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import type { ControlsFor } from '#form/use-declared-form.tsx'
import { BackButton, BackLink } from '#ui/layout/app-bar.tsx'
import { addInput, RecordForm } from '#features/request-form/request-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { saveCustomerLocation } from './commands.ts'

/** The screen 入館・駐車場情報変更依頼登録. */
export function CustomerLocationAddScreen({ requestId }: { requestId: string }) {
  const { t, i18n } = useLingui()
  const leave = useLeaveForm()
  const controls = useCustomerLocationControls()
  const request = useLatched(requestId, useRequest(requestId))
  const changes = useChangeRequestsOf('customerLocationChangeRequests', requestId)
  const title = t`入館・駐車場情報変更依頼登録`
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  if (!changes) return <RequestFormAbsent title={title} state="loading" />
  const change = changes.get(requestId)
  const { status } = registration(request, 'customerLocation', change)
  const isBarred = status !== RegistrationStatus.code.unregistered
  const go = () => leave(requestId)
  return (
    <RecordForm
      {...{ title, request, controls }}
      action="add"
      declaration={customerLocationChangeRequest}
      back={<BackButton onClick={() => void go()} />}
      record={change?.record ?? null}
      draft={{ key: `customerLocationChangeRequest/add/${requestId}` }}
      {...addInput(customerLocationChangeRequest, change?.unsentContent, request)}
      bar={isBarred ? { text: messageText(i18n, 'ec00030'), go } : null}
      write={(draft, seen) => (saver) => saveCustomerLocation(saver, requestId, draft, seen)}
      leave={go}
    />
  )
}

/** The screen 入館・駐車場情報変更依頼編集. */
export function CustomerLocationEditScreen({ id }: { id: string }) {
  const { t, i18n } = useLingui()
  const leave = useLeaveForm()
  const controls = useCustomerLocationControls()
  const shown = useLatched(id, useChangeRequest('customerLocationChangeRequests', id))
  const title = t`入館・駐車場情報変更依頼編集`
  if (typeof shown === 'string') return <RequestFormAbsent title={title} state={shown} />
  const { change, request } = shown
  const { record } = change
  const { requestId } = record
  const text = messageText(i18n, 'ec00008', { subject: t`入館・駐車場情報変更依頼` })
  const go = () => leave(requestId)
  return (
    <RecordForm
      {...{ title, request, record, controls }}
      action="edit"
      declaration={customerLocationChangeRequest}
      back={<BackLink to="/customerLocationChangeRequest/$id" params={{ id: change.id }} />}
      draft={{ key: `customerLocationChangeRequest/edit/${requestId}` }}
      initial={inputOf(customerLocationChangeRequest, change.unsentContent ?? change.content ?? {})}
      bar={change.lockedByCrm ? { text, go } : null}
      write={(draft, seen) => (saver) => saveCustomerLocation(saver, requestId, draft, seen)}
      leave={go}
    />
  )
}

export function useCustomerLocationControls(): ControlsFor<typeof customerLocationChangeRequest> {
  const { t } = useLingui()
  return {
    parkingType: (field, declared) => <field.SelectField label={t`駐車場区分`} {...declared} />,
    parkingMethod: (field, declared) => <field.TextAreaField label={t`駐車方法`} {...declared} />,
    inMethod: (field, declared) => (
      <field.TextAreaField
        label={t`入館方法`}
        {...declared}
        help={t`受付、鍵の受け取り、入口の順に書くと伝わります。`}
      />
    ),
  }
}
