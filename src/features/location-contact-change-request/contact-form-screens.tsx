import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { map } from 'rxjs'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import type { InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeDraft,
  type ContactChangeRecord,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { messageText } from '#messages/messages.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import type { Database } from '#data/database/database.ts'
import { registration, useChangeRequest, useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { toHalfAscii, toHalfKana } from '#form/half-width.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { hasNoHyphen } from '#lib/browser/user-agent.ts'
import { addInput, RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { BackButton, BackLink } from '#ui/layout/app-bar.tsx'
import { saveContactChange } from './commands.ts'
import { contactParam } from './contact-type.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useContactTexts } from './use-contact-texts.ts'
import { useSave } from '#features/request-form/use-save.ts'

interface ContactAddScreenProps {
  requestId: string
  contactType: ContactTypeCode
}

/** The screens 入館連絡先変更依頼登録 and 退館連絡先変更依頼登録. */
export function ContactAddScreen({ requestId, contactType }: ContactAddScreenProps) {
  const { i18n } = useLingui()
  const leave = useLeaveForm()
  const title = useContactTexts(contactType).add
  const request = useLatched(requestId, useRequest(requestId))
  const changes = useChangeRequestsOf('locationContactChangeRequests', requestId)
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  if (!changes) return <RequestFormAbsent title={title} state="loading" />
  const change = changes.get(contactChangeKey(requestId, contactType))
  const isExit = contactType === ContactType.code.exit
  const registered = isExit ? request.outLocationContact : request.inLocationContact
  const { status } = registration(request, contactType, change)
  return (
    <OpenedForm
      action="add"
      title={title}
      back={<BackButton onClick={() => void leave(requestId)} />}
      request={request}
      requestId={requestId}
      draftKey={`locationContactChangeRequest/add/${requestId}/${contactType}`}
      contactType={contactType}
      record={change?.record ?? null}
      {...addInput(locationContactChangeRequest, change?.unsentContent, registered)}
      bar={status === RegistrationStatus.code.unregistered ? null : messageText(i18n, 'ec00026')}
    />
  )
}

interface ContactEditScreenProps {
  id: string
  contactType: ContactTypeCode
}

/** The screens 入館連絡先変更依頼編集 and 退館連絡先変更依頼編集. */
export function ContactEditScreen({ id, contactType }: ContactEditScreenProps) {
  const { i18n } = useLingui()
  const texts = useContactTexts(contactType)
  const shown = useLatched(id, useChangeRequest('locationContactChangeRequests', id))
  if (typeof shown === 'string') return <RequestFormAbsent title={texts.edit} state={shown} />
  const { record, lockedByCrm, unsentContent, content, id: changeId } = shown.change
  if (record.contactType !== contactType) return <Navigate to="/not-found" replace />
  const params = { id: changeId, type: contactParam(contactType) }
  return (
    <OpenedForm
      action="edit"
      title={texts.edit}
      back={<BackLink to="/locationContactChangeRequest/$id/$type" params={params} />}
      request={shown.request}
      requestId={record.requestId}
      draftKey={`locationContactChangeRequest/edit/${record.key}`}
      contactType={contactType}
      record={record}
      initial={inputOf(locationContactChangeRequest, unsentContent ?? content ?? {})}
      bar={lockedByCrm ? messageText(i18n, 'ec00008', { subject: texts.subject }) : null}
    />
  )
}

interface InitialProps extends RequestFormProps {
  contactType: ContactTypeCode
  initial: InputOf<typeof locationContactChangeRequest>
  /** True if `initial` has the values registered in the CRM. Saving the form then requires a changed value. */
  isPrefilled?: boolean | undefined
  draftKey: string
}

interface OpenedFormProps extends InitialProps {
  requestId: string
  record: ContactChangeRecord | null
  /** Says why the form must not be saved; null if it may. Checked on opening and again on saving. */
  bar: string | null
}

/** The form as it opens. A later answer of the CRM does not change its values. */
function OpenedForm({ requestId, record, initial, isPrefilled, bar, ...frame }: OpenedFormProps) {
  const { action, contactType, draftKey } = frame
  const submit = useSave('locationContactChangeRequest', action)
  const leaveForm = useLeaveForm()
  const [{ seen, barAtStart, ...opened }] = useState({ seen: record, barAtStart: bar, initial, isPrefilled })
  const leave = () => leaveForm(requestId)
  if (barAtStart !== null) return <LeaveWith text={barAtStart} go={leave} />
  const save = (draft: ContactChangeDraft) =>
    submit({
      draft: { key: draftKey },
      bar: bar === null ? null : { text: bar, go: leave },
      write: (saver) => saveContactChange(saver, requestId, contactType, draft, seen),
      leave,
    })
  return <ContactForm {...frame} {...opened} onSave={save} />
}

interface ContactFormProps extends InitialProps {
  onSave: (draft: ContactChangeDraft) => Promise<void | 'not-saved'>
}

/** The form 入館連絡先変更依頼 or 退館連絡先変更依頼, for registering and editing. */
export function ContactForm(props: ContactFormProps) {
  const { action, title, back, request, isPrefilled, contactType } = props
  const form = useContactForm(props)
  return (
    <RequestForm
      {...{ action, title, back, request, isPrefilled }}
      form={form}
      slug="locationContactChangeRequest"
    >
      <ContactFields form={form} contactType={contactType} />
    </RequestForm>
  )
}

const useContactForm = ({ initial, isPrefilled = false, draftKey, onSave }: ContactFormProps) =>
  useDeclaredForm({
    declaration: locationContactChangeRequest,
    defaultValues: initial,
    onSubmit: onSave,
    savesUnchanged: !isPrefilled,
    autosave: { key: draftKey },
  })

/** Emits the names of the user's colleagues that are on the device. */
const staffNames$ = (db: Database) =>
  db.supplierStaff
    .find()
    .$.pipe(map((docs) => [...new Set(docs.map(({ name }) => name))].filter(Boolean).toSorted()))

interface ContactFieldsProps {
  form: ReturnType<typeof useContactForm>
  contactType: ContactTypeCode
}

function ContactFields({ form, contactType }: ContactFieldsProps) {
  const { t } = useLingui()
  const { labels } = useContactTexts(contactType)
  const staffId = useId()
  const staff = useLiveQuery('staff-names', staffNames$) ?? []
  const text = (name: keyof typeof labels) =>
    ({ label: labels[name], autoComplete: 'off', enterKeyHint: 'done' }) as const
  return form.fields({
    name: (field, { required }) => <field.TextField {...text('name')} required={required} />,
    kana: (field, { required }) => (
      <field.TextField
        {...text('kana')}
        required={required}
        help={t`かなで入力すると、半角カタカナに変わります。`}
        convert={toHalfKana}
      />
    ),
    section: (field) => <field.TextField {...text('section')} />,
    class: (field) => <field.TextField {...text('class')} />,
    staffName: (field) => (
      <>
        <field.TextField {...text('staffName')} list={staffId} />
        <datalist id={staffId}>
          {staff.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      </>
    ),
    means: (field) => <field.TextField {...text('means')} />,
    email: (field) => (
      <field.TextField
        {...text('email')}
        num
        // With type=email some browsers rewrite what the user types.
        inputMode="email"
        autoCapitalize="none"
        convert={toHalfAscii}
      />
    ),
    tel1: (field, { required }) => (
      <field.TextField
        {...text('tel1')}
        num
        type="tel"
        // Some phones have no hyphen on the keypad for type=tel. They get the full keyboard.
        inputMode={hasNoHyphen(navigator.userAgent) ? 'text' : 'tel'}
        required={required}
        help={t`「-」を入れて入力します。例：03-5550-0199`}
        convert={toHalfAscii}
      />
    ),
  })
}
