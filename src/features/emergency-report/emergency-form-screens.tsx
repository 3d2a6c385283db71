import { useLingui } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { InputOf } from '#schemas/declare/declare.ts'
import {
  emergencyReport,
  type EmergencyReportDraft,
  type EmergencyReportRecord,
} from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { messageText } from '#messages/messages.ts'
import { PHRASES } from '#messages/phrases.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { type ShownRecord, useRecord } from '#data/resources/records-of-request.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { type FormPhotos, useFormPhotos } from '#features/photo/use-form-photos.ts'
import { FormSheets } from '#features/sheet/form-sheets.tsx'
import { gasSheet, kySheet } from '#features/sheet/sheets.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { isAsInCrm, saveEmergencyReport } from './commands.ts'
import { RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useSave } from '#features/request-form/use-save.ts'

interface EmergencyAddScreenProps {
  requestId: string
  workingDate: string | undefined
}

/** The screen 緊急報告登録. */
export function EmergencyAddScreen({ requestId, workingDate }: EmergencyAddScreenProps) {
  const { t } = useLingui()
  const [recordKey] = useState(useServices().newId)
  const visit = useLatched(`${requestId} ${workingDate}`, useVisitOf(requestId, workingDate))
  const title = t`緊急報告登録`
  if (typeof visit === 'string') return <RequestFormAbsent title={title} state={visit} />
  const { request } = visit
  return (
    <OpenedForm
      action="add"
      title={title}
      request={request}
      visit={request}
      record={null}
      recordKey={recordKey}
      draftKey={`emergencyReport/add/${request.key}`}
      initial={inputOf(emergencyReport)}
      bar={null}
    />
  )
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
  const { t, i18n } = useLingui()
  const { record, content, unsentContent, lockedByCrm } = report
  const { key, requestId: id, workingDate } = record
  const visit = useLatched(`${id} ${workingDate}`, useVisitOf(id, workingDate))
  const isOpen = useOpened(visit !== 'loading')
  const title = t`緊急報告編集`
  if (!isOpen) return <RequestFormAbsent title={title} state="loading" />
  const { workingStartTime, workingEndTime } = content
  return (
    <OpenedForm
      action="edit"
      title={title}
      request={typeof visit === 'string' ? null : visit.request}
      visit={{ id, workingDate, workingStartTime, workingEndTime }}
      record={record}
      recordKey={key}
      draftKey={`emergencyReport/edit/${key}`}
      initial={inputOf(emergencyReport, unsentContent ?? content)}
      bar={lockedByCrm ? messageText(i18n, 'ec00008', { subject: t`緊急報告` }) : null}
    />
  )
}

interface OpenedFormProps extends Omit<EmergencyFormProps, 'back' | 'photos' | 'onSave' | 'server'> {
  visit: Pick<RequestRecord, 'id' | 'workingDate' | 'workingStartTime' | 'workingEndTime'>
  record: EmergencyReportRecord | null
  recordKey: string
  draftKey: string
  /** Says why the form must not be saved; null if it may. Checked on opening and again on saving. */
  bar: string | null
}

/** The form as it opens. A later answer of the CRM does not change its values. */
function OpenedForm({ visit, record, recordKey, draftKey, initial, bar, ...frame }: OpenedFormProps) {
  const { action } = frame
  const { id, workingDate } = visit
  const navigate = useNavigate()
  const backOr = useBackOr()
  const submit = useSave('emergencyReport', action)
  const [atStart] = useState({ record, initial, bar })
  const target = { resource: 'emergencyReports', recordKey, requestId: id, workingDate }
  const photos = useFormPhotos(target, draftKey, action === 'edit')
  const list = { to: '/emergencyReport/$id', params: { id }, search: { workingDate } } as const
  const toList = () => navigate({ ...list, replace: true })
  if (atStart.bar !== null) return <LeaveWith text={atStart.bar} go={toList} />
  const save = (draft: EmergencyReportDraft) =>
    submit({
      draft: photos.draft,
      ready: photos.ready,
      bar: bar === null ? null : { text: bar, go: toList },
      async write(saver, key) {
        // If an earlier attempt to save created the report and then failed, this save changes that report.
        const seen = atStart.record ?? (await viewOf(saver.db, 'emergencyReports', key))
        if (!seen || !isAsInCrm(seen, draft)) await saveEmergencyReport(saver, visit, draft, seen, key)
      },
      leave: () => backOr(toList),
    })
  return (
    <EmergencyForm
      {...frame}
      back={<BackLink {...list} />}
      initial={atStart.initial}
      server={atStart.record?.server}
      photos={photos}
      onSave={save}
    />
  )
}

interface EmergencyFormProps extends RequestFormProps {
  initial: InputOf<typeof emergencyReport>
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
