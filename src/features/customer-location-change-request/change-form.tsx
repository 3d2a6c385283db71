import { useLingui } from '@lingui/react/macro'
import {
  customerLocationChangeRequest,
  type CustomerLocationDraft,
} from '#schemas/resources/customer-location-change-request.ts'
import type { InputOf } from '#schemas/declare/declare.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'

interface ChangeFormProps extends RequestFormProps {
  initial: InputOf<typeof customerLocationChangeRequest>
  /** True if `initial` has the values registered in the CRM. Saving the form then requires a changed value. */
  isPrefilled?: boolean
  /** The record as last received from the CRM. */
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
