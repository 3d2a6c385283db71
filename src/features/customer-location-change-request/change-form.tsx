import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { ParkingType } from '#schemas/codes.ts'
import {
  customerLocationDraft,
  type CustomerLocationDraft,
} from '#schemas/customer-location-change-request.ts'
import { IN_METHOD_MAX, PARKING_METHOD_MAX } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { ChangeFrame } from './change-frame.tsx'
import type { LocationInput } from './rules.ts'

interface ChangeFormProps {
  title: string
  back: ReactNode
  request: RequestRecord | null
  initial: LocationInput
  /** What a save will do now (offline). */
  hint: string | undefined
  onSave: (draft: CustomerLocationDraft) => Promise<void>
}

/** The form 入館・駐車場情報変更依頼, of registering and of editing. */
export function ChangeForm({ title, back, request, initial, hint, onSave }: ChangeFormProps) {
  const { t } = useLingui()
  const form = useDraftForm({ schema: customerLocationDraft, defaultValues: initial, onSubmit: onSave })
  return (
    <form.AppForm>
      <ChangeFrame
        title={title}
        back={back}
        request={request}
        footer={<form.SubmitBar hint={hint}>{t`保存`}</form.SubmitBar>}
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
      </ChangeFrame>
    </form.AppForm>
  )
}
