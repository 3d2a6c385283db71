import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useId } from 'react'
import { map } from 'rxjs'
import { ContactType, RegistrationStatus } from '#schemas/codes.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { messageText } from '#messages/messages.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { registration, useChangeRequest, useChangeRequestsOf } from '#data/resources/change-requests.ts'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { toHalfAscii, toHalfKana } from '#form/half-width.ts'
import type { ControlsFor } from '#form/use-declared-form.tsx'
import { hasNoHyphen } from '#lib/browser/user-agent.ts'
import { addInput, RecordForm } from '#features/request-form/request-form.tsx'
import { BackButton, BackLink } from '#ui/layout/app-bar.tsx'
import { saveContactChange } from './commands.ts'
import { contactParam } from './contact-type.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useContactTexts } from './use-contact-texts.ts'

/** The screens 入館連絡先変更依頼登録 and 退館連絡先変更依頼登録. */
export function ContactAddScreen(props: { requestId: string; contactType: ContactTypeCode }) {
  const { requestId, contactType } = props
  const { i18n } = useLingui()
  const leave = useLeaveForm()
  const title = useContactTexts(contactType).add
  const controls = useContactControls(contactType)
  const request = useLatched(requestId, useRequest(requestId))
  const changes = useChangeRequestsOf('locationContactChangeRequests', requestId)
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  if (!changes) return <RequestFormAbsent title={title} state="loading" />
  const change = changes.get(contactChangeKey(requestId, contactType))
  const isExit = contactType === ContactType.code.exit
  const registered = isExit ? request.outLocationContact : request.inLocationContact
  const { status } = registration(request, contactType, change)
  const isBarred = status !== RegistrationStatus.code.unregistered
  const go = () => leave(requestId)
  return (
    <RecordForm
      {...{ title, request, controls }}
      action="add"
      declaration={locationContactChangeRequest}
      back={<BackButton onClick={() => void go()} />}
      draft={{ key: `locationContactChangeRequest/add/${requestId}/${contactType}` }}
      record={change?.record ?? null}
      {...addInput(locationContactChangeRequest, change?.unsentContent, registered)}
      bar={isBarred ? { text: messageText(i18n, 'ec00026'), go } : null}
      write={(draft, seen) => (saver) => saveContactChange(saver, requestId, contactType, draft, seen)}
      leave={go}
    />
  )
}

/** The screens 入館連絡先変更依頼編集 and 退館連絡先変更依頼編集. */
export function ContactEditScreen({ id, contactType }: { id: string; contactType: ContactTypeCode }) {
  const { i18n } = useLingui()
  const leave = useLeaveForm()
  const { edit: title, subject } = useContactTexts(contactType)
  const controls = useContactControls(contactType)
  const shown = useLatched(id, useChangeRequest('locationContactChangeRequests', id))
  if (typeof shown === 'string') return <RequestFormAbsent title={title} state={shown} />
  const { record, lockedByCrm, unsentContent, content, id: changeId } = shown.change
  const { requestId, key } = record
  if (record.contactType !== contactType) return <Navigate to="/not-found" replace />
  const params = { id: changeId, type: contactParam(contactType) }
  const go = () => leave(requestId)
  return (
    <RecordForm
      {...{ title, record, controls }}
      action="edit"
      declaration={locationContactChangeRequest}
      back={<BackLink to="/locationContactChangeRequest/$id/$type" params={params} />}
      request={shown.request}
      draft={{ key: `locationContactChangeRequest/edit/${key}` }}
      initial={inputOf(locationContactChangeRequest, unsentContent ?? content ?? {})}
      bar={lockedByCrm ? { text: messageText(i18n, 'ec00008', { subject }), go } : null}
      write={(draft, seen) => (saver) => saveContactChange(saver, requestId, contactType, draft, seen)}
      leave={go}
    />
  )
}

const staffNames$ = (db: Database) =>
  db.supplierStaff
    .find()
    .$.pipe(map((docs) => [...new Set(docs.map(({ name }) => name))].filter(Boolean).toSorted()))

/** Returns the controls of 入館連絡先変更依頼 or 退館連絡先変更依頼. */
export function useContactControls(
  contactType: ContactTypeCode,
): ControlsFor<typeof locationContactChangeRequest> {
  const { t } = useLingui()
  const { labels } = useContactTexts(contactType)
  const staffId = useId()
  const staff = useLiveQuery('staff-names', staffNames$) ?? []
  const text = (name: keyof typeof labels) =>
    ({ label: labels[name], autoComplete: 'off', enterKeyHint: 'done' }) as const
  return {
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
  }
}
