import { useLingui } from '@lingui/react/macro'
import type { InputOf } from '#schemas/declare/declare.ts'
import { emergencyReport, type EmergencyReportDraft } from '#schemas/resources/emergency-report.ts'
import { FormSheets } from '#features/sheet/form-sheets.tsx'
import { gasSheet, kySheet } from '#features/sheet/sheets.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { PHRASES } from '#messages/phrases.ts'

interface EmergencyFormProps extends RequestFormProps {
  initial: InputOf<typeof emergencyReport>
  /** The record as last received from the CRM. */
  server?: object | undefined
  photos: FormPhotos
  onSave: (draft: EmergencyReportDraft) => Promise<void | 'not-saved'>
}

/** The form 緊急報告, for registering and editing. */
export function EmergencyForm({ initial, server, photos, onSave, ...frame }: EmergencyFormProps) {
  const { t } = useLingui()
  const form = useDeclaredForm({
    declaration: emergencyReport,
    defaultValues: initial,
    server,
    onSubmit: onSave,
    autosave: { key: photos.draft.key },
  })
  return (
    <RequestForm {...frame} form={form} slug="emergencyReport">
      {form.fields({
        emergencyContents: (field, declared) => (
          <field.CheckboxesField
            label={t`緊急内容`}
            {...declared}
            help={t`あてはまるものをすべて選んでください。`}
            cols={2}
          />
        ),
        risk: (field, declared) => <field.CheckboxesField label={t`リスク`} {...declared} cols={2} />,
        correspondenceDate: (field, declared) => (
          <field.RadioField label={t`対応日`} {...declared} cols={3} />
        ),
        ttsStaffContact: (field, declared) => (
          <field.RadioField label={t`TTS担当者への連絡`} {...declared} cols={2} />
        ),
        emergencyContentsDetails: (field, declared) => (
          <field.TextAreaField
            label={t`緊急内容詳細`}
            {...declared}
            phrases={PHRASES.emergency}
            help={t`何が起きたか、今どうなっているか、応急の処置を書きます。`}
          />
        ),
      })}
      <PhotosField photos={photos} label={t`写真`} />
      <FormSheets sheets={[gasSheet, kySheet]} photos={photos} />
    </RequestForm>
  )
}
