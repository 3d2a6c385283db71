import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { InputOf } from '#schemas/declare/declare.ts'
import { emergencyReport, type EmergencyReportDraft } from '#schemas/resources/emergency-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { FormAction } from '#data/changes/offline-policy.ts'
import { FormSheets } from '#features/sheet/form-sheets.tsx'
import { gasSheet } from '#features/sheet/gas-sheet.ts'
import { kySheet } from '#features/sheet/ky-sheet.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import type { FormPhotos } from '#features/photo/use-form-photos.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { SaveBar } from '#features/request-form/save-bar.tsx'
import { PHRASES } from '#messages/phrases.ts'

interface EmergencyFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
  initial: InputOf<typeof emergencyReport>
  /** The record as last received from the CRM. */
  server?: object | undefined
  photos: FormPhotos
  onSave: (draft: EmergencyReportDraft) => Promise<void | 'not-saved'>
}

/** The form 緊急報告, for registering and editing. */
export function EmergencyForm(props: EmergencyFormProps) {
  const { action, title, back, request, initial, server, photos, onSave } = props
  const { t } = useLingui()
  const form = useDeclaredForm({
    declaration: emergencyReport,
    defaultValues: initial,
    server,
    onSubmit: onSave,
    autosave: { key: photos.draft.key },
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
          {form.fields({
            emergencyContents: (field, said) => (
              <field.CheckboxesField
                label={t`緊急内容`}
                {...said}
                help={t`あてはまるものをすべて選んでください。`}
                cols={2}
              />
            ),
            risk: (field, said) => <field.CheckboxesField label={t`リスク`} {...said} cols={2} />,
            correspondenceDate: (field, said) => <field.RadioField label={t`対応日`} {...said} cols={3} />,
            ttsStaffContact: (field, said) => (
              <field.RadioField label={t`TTS担当者への連絡`} {...said} cols={2} />
            ),
            emergencyContentsDetails: (field, said) => (
              <field.TextAreaField
                label={t`緊急内容詳細`}
                {...said}
                phrases={PHRASES.emergency}
                help={t`何が起きたか、今どうなっているか、応急の処置を書きます。`}
              />
            ),
          })}
          <PhotosField photos={photos} label={t`写真`} />
          <FormSheets sheets={[gasSheet, kySheet]} photos={photos} />
        </form.FormBody>
        <form.LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}
