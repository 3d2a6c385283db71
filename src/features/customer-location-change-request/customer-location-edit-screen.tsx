import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CustomerLocationDraft } from '#schemas/customer-location-change-request.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { messageText } from '#messages/messages.ts'
import { useOnline, useServices } from '#data/app-context.tsx'
import { LeaveWith } from '#data/leave-with.tsx'
import { maySave } from '#data/offline-policy.ts'
import { useChangeRequest } from '#data/use-change-request.ts'
import { useLeaveForm } from '#data/use-leave-form.ts'
import { useSaver } from '#data/use-saver.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { ChangeForm } from './change-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { saveCustomerLocation } from './commands.ts'
import { inputOf, type LocationChange } from './rules.ts'
import { useSavedFlash } from '#features/request-form/use-saved-flash.ts'

/** 入館・駐車場情報変更依頼編集. */
export function CustomerLocationEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const shown = useChangeRequest('customerLocationChangeRequests', id)
  if (!shown?.change?.content)
    return <RequestFormAbsent title={t`入館・駐車場情報変更依頼編集`} loading={shown === undefined} />
  return <EditForm change={shown.change} request={shown.request} />
}

function EditForm({ change, request }: { change: LocationChange; request: RequestRecord | null }) {
  const { t, i18n } = useLingui()
  const { flash, online } = useServices()
  const hasSignal = useOnline()
  const navigate = useNavigate()
  const saver = useSaver()
  const leave = useLeaveForm()
  const tellSaved = useSavedFlash()
  const [record] = useState(change.record)
  const [takenAtStart] = useState(change.taken)
  const [initial] = useState(() => inputOf(change.unsentContent ?? change.content ?? {}))
  const { requestId } = change.record
  const taken = messageText(i18n, 'ec00008', { subject: t`入館・駐車場情報変更依頼` })
  if (takenAtStart) return <LeaveWith text={taken} go={() => leave(requestId)} />
  const save = async (draft: CustomerLocationDraft) => {
    if (!maySave('customerLocationChangeRequest', 'edit', online.get())) {
      await navigate({ to: '/forbidden' })
      return 'not-saved'
    }
    const parts = saver()
    if (change.taken) {
      flash.show('danger', taken)
      return leave(requestId)
    }
    if (!parts) return undefined
    await saveCustomerLocation(parts, requestId, draft, record)
    tellSaved()
    return leave(requestId)
  }
  return (
    <ChangeForm
      title={t`入館・駐車場情報変更依頼編集`}
      back={<BackLink to="/customerLocationChangeRequest/$id" params={{ id: change.id }} />}
      request={request}
      initial={initial}
      draftKey={`customerLocationChangeRequest/edit/${requestId}`}
      hint={hasSignal ? undefined : t`電波がないため、編集を保存できません`}
      onSave={save}
    />
  )
}
