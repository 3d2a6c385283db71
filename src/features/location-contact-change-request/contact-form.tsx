import { useLingui } from '@lingui/react/macro'
import { useId, type ReactNode } from 'react'
import { map } from 'rxjs'
import type { InputOf } from '#schemas/declare/declare.ts'
import {
  locationContactChangeRequest,
  type ContactChangeDraft,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import type { FormAction } from '#data/changes/offline-policy.ts'
import { toHalfAscii, toHalfKana } from '#form/half-width.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { hasNoHyphen } from '#lib/browser/phone-browsers.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import { TodaysValues } from '#features/request-form/todays-values.tsx'
import { useContactTexts } from './use-contact-texts.ts'

interface ContactFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
  contactType: ContactTypeCode
  initial: InputOf<typeof locationContactChangeRequest>
  /** True if `initial` has the values that are registered now. They are not saved without a change. */
  isPrefilled?: boolean
  /** Key of the form's draft. */
  draftKey: string
  onSave: (draft: ContactChangeDraft) => Promise<void | 'not-saved'>
}

/** The form 入館連絡先変更依頼 or 退館連絡先変更依頼, for registering and editing. */
export function ContactForm(props: ContactFormProps) {
  const { action, title, back, request, contactType, isPrefilled = false } = props
  const form = useContactForm(props)
  return (
    <form.AppForm>
      <RequestFormFrame
        title={title}
        back={back}
        request={request}
        footer={<SaveBar slug="locationContactChangeRequest" action={action} isPrefilled={isPrefilled} />}
      >
        <form.FormBody>
          {isPrefilled && <TodaysValues />}
          <ContactFields form={form} contactType={contactType} />
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
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

interface ContactFieldsProps {
  form: ReturnType<typeof useContactForm>
  contactType: ContactTypeCode
}

/** Names of the user's company staff that are on the device. */
const staffNames$ = (db: Database) =>
  db.supplierStaff
    .find()
    .$.pipe(map((docs) => [...new Set(docs.map(({ name }) => name))].filter(Boolean).toSorted()))

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
        // With type=email the browser might rewrite the input.
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
        // If the keypad of type=tel lacks a required character, the full keyboard is used.
        inputMode={hasNoHyphen(navigator.userAgent) ? 'text' : 'tel'}
        required={required}
        help={t`「-」を入れて入力します。例：03-5550-0199`}
        convert={toHalfAscii}
      />
    ),
  })
}
