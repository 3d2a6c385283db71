import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import {
  customerLocationChangeRequest,
  type CustomerLocationDraft,
} from '#schemas/resources/customer-location-change-request.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { messageText } from '#messages/messages.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useChangeRequest, useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { addInput } from '#features/request-form/request-form.tsx'
import { BackButton, BackLink } from '#ui/layout/app-bar.tsx'
import { ChangeForm } from './change-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { saveCustomerLocation } from './commands.ts'
import { locationChangeBar, type LocationChange } from './rules.ts'
import { useSave } from '#features/request-form/use-save.ts'

/** The screen 入館・駐車場情報変更依頼登録. */
export function CustomerLocationAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const request = useLatched(requestId, useRequest(requestId))
  const changes = useChangeRequestsOf('customerLocationChangeRequests', requestId)
  if (typeof request === 'string')
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼登録`} state={request} />
  if (!changes) return <RequestFormAbsent title={t`入館・駐車場情報変更依頼登録`} state="loading" />
  return <AddForm request={request} change={changes.get(requestId)} />
}

/** Checks on opening and again on saving whether a change request may be registered. */
function AddForm({ request, change }: { request: RequestRecord; change: LocationChange | undefined }) {
  const { t, i18n } = useLingui()
  const submit = useSave('customerLocationChangeRequest', 'add')
  const leave = useLeaveForm()
  const [record] = useState(change?.record ?? null)
  const [barAtStart] = useState(() => locationChangeBar(request, change))
  const [{ initial, isPrefilled }] = useState(() =>
    addInput(customerLocationChangeRequest, change?.unsentContent, request),
  )
  const { id } = request
  if (barAtStart) return <LeaveWith text={messageText(i18n, barAtStart)} go={() => leave(id)} />
  const draftKey = `customerLocationChangeRequest/add/${id}`
  const save = (draft: CustomerLocationDraft) => {
    const bar = locationChangeBar(request, change)
    return submit({
      draft: { key: draftKey },
      bar: bar && { text: messageText(i18n, bar), go: () => leave(id) },
      write: (saver) => saveCustomerLocation(saver, id, draft, record),
      leave: () => leave(id),
    })
  }
  return (
    <ChangeForm
      action="add"
      title={t`入館・駐車場情報変更依頼登録`}
      back={<BackButton onClick={() => void leave(id)} />}
      request={request}
      initial={initial}
      isPrefilled={isPrefilled}
      draftKey={draftKey}
      onSave={save}
    />
  )
}

/** The screen 入館・駐車場情報変更依頼編集. */
export function CustomerLocationEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const shown = useLatched(id, useChangeRequest('customerLocationChangeRequests', id))
  if (typeof shown === 'string')
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼編集`} state={shown} />
  return <EditForm change={shown.change} request={shown.request} />
}

/** Checks on opening and again on saving whether the CRM has locked the change request. */
function EditForm({ change, request }: { change: LocationChange; request: RequestRecord | null }) {
  const { t, i18n } = useLingui()
  const submit = useSave('customerLocationChangeRequest', 'edit')
  const leave = useLeaveForm()
  const [record] = useState(change.record)
  const [lockedAtStart] = useState(change.lockedByCrm)
  const [initial] = useState(() =>
    inputOf(customerLocationChangeRequest, change.unsentContent ?? change.content ?? {}),
  )
  const { requestId } = change.record
  const lockedText = messageText(i18n, 'ec00008', { subject: t`入館・駐車場情報変更依頼` })
  if (lockedAtStart) return <LeaveWith text={lockedText} go={() => leave(requestId)} />
  const draftKey = `customerLocationChangeRequest/edit/${requestId}`
  const save = (draft: CustomerLocationDraft) =>
    submit({
      draft: { key: draftKey },
      bar: change.lockedByCrm ? { text: lockedText, go: () => leave(requestId) } : null,
      write: (saver) => saveCustomerLocation(saver, requestId, draft, record),
      leave: () => leave(requestId),
    })
  return (
    <ChangeForm
      action="edit"
      title={t`入館・駐車場情報変更依頼編集`}
      back={<BackLink to="/customerLocationChangeRequest/$id" params={{ id: change.id }} />}
      request={request}
      initial={initial}
      server={record.server}
      draftKey={draftKey}
      onSave={save}
    />
  )
}
