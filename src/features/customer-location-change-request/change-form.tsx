import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import {
  customerLocationChangeRequest,
  type CustomerLocationDraft,
} from '#schemas/resources/customer-location-change-request.ts'
import type { InputOf } from '#schemas/declare/declare.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { FormAction } from '#data/changes/offline-policy.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import { TodaysValues } from '#features/request-form/todays-values.tsx'

interface ChangeFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
  initial: InputOf<typeof customerLocationChangeRequest>
  /** True if `initial` has the values that are registered now. They are not saved without a change. */
  isPrefilled?: boolean
  /** The record as last received from the CRM. */
  server?: object | undefined
  /** Key of the form's draft. */
  draftKey: string
  onSave: (draft: CustomerLocationDraft) => Promise<void | 'not-saved'>
}

/** The form 入館・駐車場情報変更依頼, for registering and editing. */
export function ChangeForm(props: ChangeFormProps) {
  const { action, title, back, request, initial, isPrefilled = false, server, draftKey, onSave } = props
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
    <form.AppForm>
      <RequestFormFrame
        title={title}
        back={back}
        request={request}
        footer={<SaveBar slug="customerLocationChangeRequest" action={action} isPrefilled={isPrefilled} />}
      >
        <form.FormBody>
          {isPrefilled && <TodaysValues />}
          {form.fields({
            parkingType: (field, said) => <field.SelectField label={t`駐車場区分`} {...said} />,
            parkingMethod: (field, said) => <field.TextAreaField label={t`駐車方法`} {...said} />,
            inMethod: (field, said) => (
              <field.TextAreaField
                label={t`入館方法`}
                {...said}
                help={t`受付、鍵の受け取り、入口の順に書くと伝わります。`}
              />
            ),
          })}
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
