import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { emergencyReport, type EmergencyReportDraft } from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { messageText } from '#messages/messages.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { type ShownRecord, useRecord } from '#data/resources/records-of-request.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { isAsInCrm, saveEmergencyReport } from './commands.ts'
import { EmergencyForm } from './emergency-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useLeaveEmergency } from './use-leave.ts'
import { useSave } from '#features/request-form/use-save.ts'

interface EmergencyAddScreenProps {
  requestId: string
  workingDate: string | undefined
}

/** The screen 緊急報告登録. */
export function EmergencyAddScreen({ requestId, workingDate }: EmergencyAddScreenProps) {
  const { t } = useLingui()
  const visit = useLatched(`${requestId} ${workingDate}`, useVisitOf(requestId, workingDate))
  if (typeof visit === 'string') return <RequestFormAbsent title={t`緊急報告登録`} state={visit} />
  return <AddForm request={visit.request} />
}

function AddForm({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const { newId } = useServices()
  const submit = useSave('emergencyReport', 'add')
  const leave = useLeaveEmergency()
  const [recordKey] = useState(newId)
  const [initial] = useState(() => inputOf(emergencyReport))
  const { id: requestId, workingDate } = request
  const target = { resource: 'emergencyReports', recordKey, requestId, workingDate }
  const photos = useFormPhotos(target, `emergencyReport/add/${request.key}`)
  const save = (draft: EmergencyReportDraft) =>
    submit({
      draft: photos.draft,
      ready: photos.ready,
      async write(saver, key) {
        // If an earlier attempt to save created the report and then failed, this save changes that report.
        const made = await viewOf(saver.db, 'emergencyReports', key)
        await saveEmergencyReport(saver, request, draft, made, key)
      },
      leave: () => leave.back({ requestId, workingDate }),
    })
  return (
    <EmergencyForm
      action="add"
      title={t`緊急報告登録`}
      back={<BackLink to="/emergencyReport/$id" params={{ id: requestId }} search={{ workingDate }} />}
      request={request}
      initial={initial}
      photos={photos}
      onSave={save}
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

type Report = ShownRecord<'emergencyReports'>

/** Reads the report's visit before the form opens. The form also opens without the visit if the device does not have it. */
function EditOfVisit({ report }: { report: Report }) {
  const { t } = useLingui()
  const { requestId, workingDate } = report.record
  const visit = useLatched(`${requestId} ${workingDate}`, useVisitOf(requestId, workingDate))
  const isOpen = useOpened(visit !== 'loading')
  if (!isOpen) return <RequestFormAbsent title={t`緊急報告編集`} state="loading" />
  return <EditForm report={report} request={typeof visit === 'string' ? null : visit.request} />
}

/** Checks on opening and again on saving whether the report may be edited. */
function EditForm({ report, request }: { report: Report; request: RequestRecord | null }) {
  const { t, i18n } = useLingui()
  const submit = useSave('emergencyReport', 'edit')
  const leave = useLeaveEmergency()
  const [record] = useState(report.record)
  const { key: recordKey, requestId, workingDate } = record
  const [lockedAtStart] = useState(report.lockedByCrm)
  const [initial] = useState(() => inputOf(emergencyReport, report.unsentContent ?? report.content))
  const target = { resource: 'emergencyReports', recordKey, requestId, workingDate }
  const photos = useFormPhotos(target, `emergencyReport/edit/${recordKey}`, true)
  const lockedText = messageText(i18n, 'ec00008', { subject: t`緊急報告` })
  const place = { requestId, workingDate }
  if (lockedAtStart) return <LeaveWith text={lockedText} go={() => leave.toList(place)} />
  const save = (draft: EmergencyReportDraft) => {
    const { workingStartTime, workingEndTime } = report.content
    const visit = { id: requestId, workingDate, workingStartTime, workingEndTime }
    return submit({
      draft: photos.draft,
      ready: photos.ready,
      bar: report.lockedByCrm ? { text: lockedText, go: () => leave.toList(place) } : null,
      async write(saver) {
        if (!isAsInCrm(record, draft)) await saveEmergencyReport(saver, visit, draft, record)
      },
      leave: () => leave.back(place),
    })
  }
  return (
    <EmergencyForm
      action="edit"
      title={t`緊急報告編集`}
      back={<BackLink to="/emergencyReport/$id" params={{ id: requestId }} search={{ workingDate }} />}
      request={request}
      initial={initial}
      server={record.server}
      photos={photos}
      onSave={save}
    />
  )
}
