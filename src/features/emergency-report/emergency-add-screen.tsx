import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { emergencyReport, type EmergencyReportDraft } from '#schemas/resources/emergency-report.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useLatched } from '#data/context/use-latched.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { saveEmergencyReport } from './commands.ts'
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
        // If an earlier save failed midway, its record is changed instead of created again.
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
