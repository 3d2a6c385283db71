import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { messageText } from '#messages/messages.ts'
import { PHRASES } from '#messages/phrases.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { type ShownRecord, useRecord } from '#data/resources/records-of-request.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { FormSheets } from '#features/sheet/form-sheets.tsx'
import { gasSheet, kySheet } from '#features/sheet/sheets.ts'
import type { ControlsFor } from '#form/use-declared-form.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { isAsInCrm, saveEmergencyReport } from './commands.ts'
import { RecordForm } from '#features/request-form/request-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'

interface OfVisit {
  requestId: string
  workingDate: string | undefined
}

/** The screen 緊急報告登録. */
export function EmergencyAddScreen({ requestId, workingDate }: OfVisit) {
  const { t } = useLingui()
  const [recordKey] = useState(useServices().newId)
  const visit = useLatched(`${requestId} ${workingDate}`, useVisitOf(requestId, workingDate))
  if (typeof visit === 'string') return <RequestFormAbsent title={t`緊急報告登録`} state={visit} />
  const { request } = visit
  const draftKey = `emergencyReport/add/${request.key}`
  return <EmergencyForm {...{ request, recordKey, draftKey }} visit={request} report={null} />
}

/** The screen 緊急報告編集. */
export function EmergencyEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const report = useLatched(id, useRecord('emergencyReports', id))
  if (typeof report === 'string') return <RequestFormAbsent title={t`緊急報告編集`} state={report} />
  return <EditOfVisit report={report} />
}

/** Reads the report's visit before the form opens. The form also opens without the visit if the device does not have it. */
function EditOfVisit({ report }: { report: ShownRecord<'emergencyReports'> }) {
  const { t } = useLingui()
  const { key, requestId: id, workingDate } = report.record
  const visit = useLatched(`${id} ${workingDate}`, useVisitOf(id, workingDate))
  const isOpen = useOpened(visit !== 'loading')
  if (!isOpen) return <RequestFormAbsent title={t`緊急報告編集`} state="loading" />
  const { workingStartTime, workingEndTime } = report.content
  return (
    <EmergencyForm
      request={typeof visit === 'string' ? null : visit.request}
      visit={{ id, workingDate, workingStartTime, workingEndTime }}
      report={report}
      recordKey={key}
      draftKey={`emergencyReport/edit/${key}`}
    />
  )
}

interface EmergencyFormProps {
  request: RequestRecord | null
  visit: Pick<RequestRecord, 'id' | 'workingDate' | 'workingStartTime' | 'workingEndTime'>
  /** Null for a new report. */
  report: ShownRecord<'emergencyReports'> | null
  recordKey: string
  draftKey: string
}

/** The form 緊急報告, for registering and editing. */
function EmergencyForm({ request, visit, report, recordKey, draftKey }: EmergencyFormProps) {
  const { t, i18n } = useLingui()
  const { id, workingDate } = visit
  const navigate = useNavigate()
  const backOr = useBackOr()
  const controls = useEmergencyControls()
  const target = { resource: 'emergencyReports', recordKey, requestId: id, workingDate }
  const photos = useFormPhotos(target, draftKey, report !== null)
  const list = { to: '/emergencyReport/$id', params: { id }, search: { workingDate } } as const
  const go = () => navigate({ ...list, replace: true })
  return (
    <RecordForm
      action={report ? 'edit' : 'add'}
      title={report ? t`緊急報告編集` : t`緊急報告登録`}
      declaration={emergencyReport}
      controls={controls}
      request={request}
      record={report?.record ?? null}
      initial={inputOf(emergencyReport, report?.unsentContent ?? report?.content)}
      back={<BackLink {...list} />}
      draft={photos.draft}
      bar={report?.lockedByCrm ? { text: messageText(i18n, 'ec00008', { subject: t`緊急報告` }), go } : null}
      write={(draft, opened) => async (saver, key) => {
        // If an earlier attempt to save created the report and then failed, this save changes that report.
        const seen = opened ?? (await viewOf(saver.db, 'emergencyReports', key))
        if (!seen || !isAsInCrm(seen, draft)) await saveEmergencyReport(saver, visit, draft, seen, key)
      }}
      leave={() => backOr(go)}
    >
      <PhotosField photos={photos} label={t`写真`} />
      <FormSheets sheets={[gasSheet, kySheet]} photos={photos} />
    </RecordForm>
  )
}

export function useEmergencyControls(): ControlsFor<typeof emergencyReport> {
  const { t } = useLingui()
  return {
    emergencyContents: (field, declared) => (
      <field.CheckboxesField
        label={t`緊急内容`}
        {...declared}
        help={t`あてはまるものをすべて選んでください。`}
        cols={2}
      />
    ),
    risk: (field, declared) => <field.CheckboxesField label={t`リスク`} {...declared} cols={2} />,
    correspondenceDate: (field, declared) => <field.RadioField label={t`対応日`} {...declared} cols={3} />,
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
  }
}
