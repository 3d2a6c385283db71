import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import {
  contactChangeDraft,
  type ContactChangeDraft,
  type ContactTypeCode,
} from '#schemas/location-contact-change-request.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { FormAction } from '#data/offline-policy.ts'
import { toHalfAscii, toHalfKana, toHalfPhone } from '#form/half-width.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import type { ContactInput } from './rules.ts'
import { useContactTexts } from './use-contact-texts.ts'

interface ContactFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
  contactType: ContactTypeCode
  initial: ContactInput
  /** Under which what is typed is kept. */
  draftKey: string
  onSave: (draft: ContactChangeDraft) => Promise<void | 'not-saved'>
}

/** The form 入館連絡先変更依頼 or 退館連絡先変更依頼, of registering and of editing. */
export function ContactForm({
  action,
  title,
  back,
  request,
  contactType,
  initial,
  draftKey,
  onSave,
}: ContactFormProps) {
  const { t } = useLingui()
  const { labels } = useContactTexts(contactType)
  const form = useDraftForm({
    schema: contactChangeDraft,
    defaultValues: initial,
    onSubmit: onSave,
    autosave: { key: draftKey },
  })
  return (
    <form.AppForm>
      <RequestFormFrame
        title={title}
        back={back}
        request={request}
        footer={<SaveBar slug="locationContactChangeRequest" action={action} />}
      >
        <form.FormBody>
          <form.AppField name="name">
            {(field) => (
              <field.TextField label={labels.name} required autoComplete="off" enterKeyHint="done" />
            )}
          </form.AppField>
          <form.AppField name="kana">
            {(field) => (
              <field.TextField
                label={labels.kana}
                required
                help={t`かなで入力すると、半角カタカナに変わります。`}
                convert={toHalfKana}
                autoComplete="off"
                enterKeyHint="done"
              />
            )}
          </form.AppField>
          <form.AppField name="section">
            {(field) => <field.TextField label={labels.section} autoComplete="off" enterKeyHint="done" />}
          </form.AppField>
          <form.AppField name="class">
            {(field) => <field.TextField label={labels.class} autoComplete="off" enterKeyHint="done" />}
          </form.AppField>
          <form.AppField name="staffName">
            {(field) => <field.TextField label={labels.staffName} autoComplete="off" enterKeyHint="done" />}
          </form.AppField>
          <form.AppField name="means">
            {(field) => <field.TextField label={labels.means} autoComplete="off" enterKeyHint="done" />}
          </form.AppField>
          <form.AppField name="email">
            {(field) => (
              <field.TextField
                num
                // type=email would let the browser rewrite what is typed
                inputMode="email"
                autoCapitalize="none"
                label={labels.email}
                convert={toHalfAscii}
                autoComplete="off"
                enterKeyHint="done"
              />
            )}
          </form.AppField>
          <form.AppField name="tel1">
            {(field) => (
              <field.TextField
                num
                type="tel"
                label={labels.tel1}
                required
                help={t`「-」を入れて入力します。例：03-5550-0199`}
                convert={toHalfPhone}
                autoComplete="off"
                enterKeyHint="done"
              />
            )}
          </form.AppField>
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
