import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { CorrespondenceDate, EmergencyContents, Risk, StaffContact } from '#schemas/codes.ts'
import { emergencyReportDraft, type EmergencyReportDraft } from '#schemas/emergency-report.ts'
import { EMERGENCY_DETAILS_MAX } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { FormAction } from '#data/offline-policy.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { useDraftForm } from '#form/use-draft-form.ts'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import type { EmergencyInput } from './rules.ts'

interface EmergencyFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
  initial: EmergencyInput
  /** What is typed is kept under it. */
  draftKey: string
  photos: FormPhotos
  onSave: (draft: EmergencyReportDraft) => Promise<void | 'not-saved'>
}

/** The form 緊急報告, of registering and of editing. */
export function EmergencyForm(props: EmergencyFormProps) {
  const { action, title, back, request, initial, draftKey, photos, onSave } = props
  const { t } = useLingui()
  const form = useDraftForm({
    schema: emergencyReportDraft,
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
        footer={<SaveBar slug="emergencyReport" action={action} />}
      >
        <form.FormBody>
          <form.AppField name="emergencyContents">
            {(field) => (
              <field.CheckboxesField
                label={t`緊急内容`}
                required
                help={t`あてはまるものをすべて選んでください。`}
                cols={2}
                options={EmergencyContents.options}
              />
            )}
          </form.AppField>
          <form.AppField name="risk">
            {(field) => <field.CheckboxesField label={t`リスク`} required cols={2} options={Risk.options} />}
          </form.AppField>
          <form.AppField name="correspondenceDate">
            {(field) => (
              <field.RadioField label={t`対応日`} required cols={3} options={CorrespondenceDate.options} />
            )}
          </form.AppField>
          <form.AppField name="ttsStaffContact">
            {(field) => (
              <field.RadioField
                label={t`TTS担当者への連絡`}
                required
                cols={2}
                options={StaffContact.options}
              />
            )}
          </form.AppField>
          <form.AppField name="emergencyContentsDetails">
            {(field) => (
              <field.TextAreaField
                label={t`緊急内容詳細`}
                required
                help={t`何が起きたか、今どうなっているか、応急の処置を書きます。`}
                max={EMERGENCY_DETAILS_MAX}
              />
            )}
          </form.AppField>
          <PhotosField photos={photos} label={t`写真`} />
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
