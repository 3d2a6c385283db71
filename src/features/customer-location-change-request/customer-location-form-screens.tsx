import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { RegistrationStatus } from '#schemas/codes.ts'
import {
  customerLocationChangeRequest,
  type CustomerLocationDraft,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import type { InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { messageText } from '#messages/messages.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { registration, useChangeRequest, useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { BackButton, BackLink } from '#ui/layout/app-bar.tsx'
import { addInput, RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { saveCustomerLocation } from './commands.ts'
import { useSave } from '#features/request-form/use-save.ts'

/** The screen 入館・駐車場情報変更依頼登録. */
export function CustomerLocationAddScreen({ requestId }: { requestId: string }) {
  const { t, i18n } = useLingui()
  const leave = useLeaveForm()
  const request = useLatched(requestId, useRequest(requestId))
  const changes = useChangeRequestsOf('customerLocationChangeRequests', requestId)
  const title = t`入館・駐車場情報変更依頼登録`
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  if (!changes) return <RequestFormAbsent title={title} state="loading" />
  const change = changes.get(requestId)
  const { status } = registration(request, 'customerLocation', change)
  return (
    <OpenedForm
      action="add"
      title={title}
      back={<BackButton onClick={() => void leave(requestId)} />}
      request={request}
      requestId={requestId}
      record={change?.record ?? null}
      {...addInput(customerLocationChangeRequest, change?.unsentContent, request)}
      bar={status === RegistrationStatus.code.unregistered ? null : messageText(i18n, 'ec00030')}
    />
  )
}

/** The screen 入館・駐車場情報変更依頼編集. */
export function CustomerLocationEditScreen({ id }: { id: string }) {
  const { t, i18n } = useLingui()
  const shown = useLatched(id, useChangeRequest('customerLocationChangeRequests', id))
  const title = t`入館・駐車場情報変更依頼編集`
  if (typeof shown === 'string') return <RequestFormAbsent title={title} state={shown} />
  const { change, request } = shown
  const lockedText = messageText(i18n, 'ec00008', { subject: t`入館・駐車場情報変更依頼` })
  return (
    <OpenedForm
      action="edit"
      title={title}
      back={<BackLink to="/customerLocationChangeRequest/$id" params={{ id: change.id }} />}
      request={request}
      requestId={change.record.requestId}
      record={change.record}
      initial={inputOf(customerLocationChangeRequest, change.unsentContent ?? change.content ?? {})}
      bar={change.lockedByCrm ? lockedText : null}
    />
  )
}

interface InitialProps extends RequestFormProps {
  initial: InputOf<typeof customerLocationChangeRequest>
  /** True if `initial` has the values registered in the CRM. Saving the form then requires a changed value. */
  isPrefilled?: boolean | undefined
}

interface OpenedFormProps extends InitialProps {
  requestId: string
  record: CustomerLocationRecord | null
  /** Says why the form must not be saved; null if it may. Checked on opening and again on saving. */
  bar: string | null
}

/** The form as it opens. A later answer of the CRM does not change its values. */
function OpenedForm({ requestId, record, initial, isPrefilled, bar, ...frame }: OpenedFormProps) {
  const submit = useSave('customerLocationChangeRequest', frame.action)
  const leaveForm = useLeaveForm()
  const [{ seen, barAtStart, ...opened }] = useState({ seen: record, barAtStart: bar, initial, isPrefilled })
  const leave = () => leaveForm(requestId)
  if (barAtStart !== null) return <LeaveWith text={barAtStart} go={leave} />
  const draftKey = `customerLocationChangeRequest/${frame.action}/${requestId}`
  const save = (draft: CustomerLocationDraft) =>
    submit({
      draft: { key: draftKey },
      bar: bar === null ? null : { text: bar, go: leave },
      write: (saver) => saveCustomerLocation(saver, requestId, draft, seen),
      leave,
    })
  return <ChangeForm {...frame} {...opened} server={seen?.server} draftKey={draftKey} onSave={save} />
}

interface ChangeFormProps extends InitialProps {
  server?: object | undefined
  draftKey: string
  onSave: (draft: CustomerLocationDraft) => Promise<void | 'not-saved'>
}

/** The form 入館・駐車場情報変更依頼, for registering and editing. */
export function ChangeForm(props: ChangeFormProps) {
  const { initial, isPrefilled = false, server, draftKey, onSave, ...frame } = props
  const { t } = useLingui()
  const form = useDeclaredForm({
    declaration: customerLocationChangeRequest,
    defaultValues: initial,
    server,
    onSubmit: onSave,
    savesUnchanged: !isPrefilled,
    autosave: { key: draftKey },
  })
  return (
    <RequestForm {...frame} form={form} slug="customerLocationChangeRequest" isPrefilled={isPrefilled}>
      {form.fields({
        parkingType: (field, declared) => <field.SelectField label={t`駐車場区分`} {...declared} />,
        parkingMethod: (field, declared) => <field.TextAreaField label={t`駐車方法`} {...declared} />,
        inMethod: (field, declared) => (
          <field.TextAreaField
            label={t`入館方法`}
            {...declared}
            help={t`受付、鍵の受け取り、入口の順に書くと伝わります。`}
          />
        ),
      })}
    </RequestForm>
  )
}
