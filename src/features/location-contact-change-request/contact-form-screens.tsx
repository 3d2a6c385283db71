import { useLingui } from '@lingui/react'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ContactType } from '#schemas/codes.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeDraft,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { messageText } from '#messages/messages.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useChangeRequest, useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { addInput } from '#features/request-form/request-form.tsx'
import { BackButton, BackLink } from '#ui/layout/app-bar.tsx'
import { saveContactChange } from './commands.ts'
import { ContactForm } from './contact-form.tsx'
import { contactParam } from './contact-type.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { contactChangeBar, type ContactChange } from './rules.ts'
import { useContactTexts } from './use-contact-texts.ts'
import { useSave } from '#features/request-form/use-save.ts'

interface ContactAddScreenProps {
  requestId: string
  contactType: ContactTypeCode
}

/** The screens 入館連絡先変更依頼登録 and 退館連絡先変更依頼登録. */
export function ContactAddScreen({ requestId, contactType }: ContactAddScreenProps) {
  const texts = useContactTexts(contactType)
  const request = useLatched(requestId, useRequest(requestId))
  const changes = useChangeRequestsOf('locationContactChangeRequests', requestId)
  if (typeof request === 'string') return <RequestFormAbsent title={texts.add} state={request} />
  if (!changes) return <RequestFormAbsent title={texts.add} state="loading" />
  const change = changes.get(contactChangeKey(requestId, contactType))
  return <AddForm request={request} contactType={contactType} change={change} />
}

interface AddFormProps {
  request: RequestRecord
  contactType: ContactTypeCode
  change: ContactChange | undefined
}

/** Checks on opening and again on saving whether a change request may be registered. */
function AddForm({ request, contactType, change }: AddFormProps) {
  const { i18n } = useLingui()
  const texts = useContactTexts(contactType)
  const submit = useSave('locationContactChangeRequest', 'add')
  const leave = useLeaveForm()
  const [record] = useState(change?.record ?? null)
  const [barAtStart] = useState(() => contactChangeBar(request, contactType, change))
  const [{ initial, isPrefilled }] = useState(() => {
    const registered =
      contactType === ContactType.code.exit ? request.outLocationContact : request.inLocationContact
    return addInput(locationContactChangeRequest, change?.unsentContent, registered)
  })
  const { id } = request
  if (barAtStart) return <LeaveWith text={messageText(i18n, barAtStart)} go={() => leave(id)} />
  const draftKey = `locationContactChangeRequest/add/${id}/${contactType}`
  const save = (draft: ContactChangeDraft) => {
    const bar = contactChangeBar(request, contactType, change)
    return submit({
      draft: { key: draftKey },
      bar: bar && { text: messageText(i18n, bar), go: () => leave(id) },
      write: (saver) => saveContactChange(saver, id, contactType, draft, record),
      leave: () => leave(id),
    })
  }
  return (
    <ContactForm
      action="add"
      title={texts.add}
      back={<BackButton onClick={() => void leave(id)} />}
      request={request}
      contactType={contactType}
      initial={initial}
      isPrefilled={isPrefilled}
      draftKey={draftKey}
      onSave={save}
    />
  )
}

interface ContactEditScreenProps {
  id: string
  contactType: ContactTypeCode
}

/** The screens 入館連絡先変更依頼編集 and 退館連絡先変更依頼編集. */
export function ContactEditScreen({ id, contactType }: ContactEditScreenProps) {
  const texts = useContactTexts(contactType)
  const shown = useLatched(id, useChangeRequest('locationContactChangeRequests', id))
  if (typeof shown === 'string') return <RequestFormAbsent title={texts.edit} state={shown} />
  if (shown.change.record.contactType !== contactType) return <Navigate to="/not-found" replace />
  return <EditForm change={shown.change} request={shown.request} />
}

/** Checks on opening and again on saving whether the CRM has locked the change request. */
function EditForm({ change, request }: { change: ContactChange; request: RequestRecord | null }) {
  const { i18n } = useLingui()
  const { requestId, contactType } = change.record
  const texts = useContactTexts(contactType)
  const submit = useSave('locationContactChangeRequest', 'edit')
  const leave = useLeaveForm()
  const [record] = useState(change.record)
  const [lockedAtStart] = useState(change.lockedByCrm)
  const [initial] = useState(() =>
    inputOf(locationContactChangeRequest, change.unsentContent ?? change.content ?? {}),
  )
  const lockedText = messageText(i18n, 'ec00008', { subject: texts.subject })
  if (lockedAtStart) return <LeaveWith text={lockedText} go={() => leave(requestId)} />
  const draftKey = `locationContactChangeRequest/edit/${change.record.key}`
  const save = (draft: ContactChangeDraft) =>
    submit({
      draft: { key: draftKey },
      bar: change.lockedByCrm ? { text: lockedText, go: () => leave(requestId) } : null,
      write: (saver) => saveContactChange(saver, requestId, contactType, draft, record),
      leave: () => leave(requestId),
    })
  const params = { id: change.id, type: contactParam(contactType) }
  return (
    <ContactForm
      action="edit"
      title={texts.edit}
      back={<BackLink to="/locationContactChangeRequest/$id/$type" params={params} />}
      request={request}
      contactType={contactType}
      initial={initial}
      draftKey={draftKey}
      onSave={save}
    />
  )
}
