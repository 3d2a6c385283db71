import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import { map } from 'rxjs'
import type { InputOf } from '#schemas/declare/declare.ts'
import {
  locationContactChangeRequest,
  type ContactChangeDraft,
  type ContactTypeCode,
} from '#schemas/resources/location-contact-change-request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { toHalfAscii, toHalfKana } from '#form/half-width.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { hasNoHyphen } from '#lib/browser/user-agent.ts'
import { RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { useContactTexts } from './use-contact-texts.ts'

interface ContactFormProps extends RequestFormProps {
  contactType: ContactTypeCode
  initial: InputOf<typeof locationContactChangeRequest>
  /** True if `initial` has the values registered in the CRM. Saving the form then requires a changed value. */
  isPrefilled?: boolean
  draftKey: string
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

interface ContactFieldsProps {
  form: ReturnType<typeof useContactForm>
  contactType: ContactTypeCode
}

/** Emits the names of the user's colleagues that are on the device. */
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
