import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ParkingType } from '#schemas/codes.ts'
import {
  customerLocationDraft,
  type CustomerLocationDraft,
} from '#schemas/customer-location-change-request.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { FormAction } from '#data/offline-policy.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import type { LocationInput } from './rules.ts'

interface ChangeFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
  initial: LocationInput
  /** Under which what is typed is kept. */
  draftKey: string
  onSave: (draft: CustomerLocationDraft) => Promise<void | 'not-saved'>
}

/** The form 入館・駐車場情報変更依頼, of registering and of editing. */
export function ChangeForm({ action, title, back, request, initial, draftKey, onSave }: ChangeFormProps) {
  const { t } = useLingui()
  const form = useDraftForm({
    schema: customerLocationDraft,
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
        footer={<SaveBar slug="customerLocationChangeRequest" action={action} />}
      >
        <form.FormBody>
          <form.AppField name="parkingType">
            {(field) => <field.SelectField label={t`駐車場区分`} options={ParkingType.options} />}
          </form.AppField>
          <form.AppField name="parkingMethod">
            {(field) => <field.TextAreaField label={t`駐車方法`} max={PARKING_METHOD_MAX} />}
          </form.AppField>
          <form.AppField name="inMethod">
            {(field) => (
              <field.TextAreaField
                label={t`入館方法`}
                required
                help={t`受付、鍵の受け取り、入口の順に書くと伝わります。`}
                max={IN_METHOD_MAX}
              />
            )}
          </form.AppField>
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
