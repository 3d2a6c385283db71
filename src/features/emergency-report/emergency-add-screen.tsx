import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { RequestRecord } from '#schemas/request.ts'
import { useServices } from '#data/app-context.tsx'
import { useSaver } from '#data/use-saver.ts'
import { useVisitOf } from '#data/use-visit-of.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { saveEmergencyReport } from './commands.ts'
import { EmergencyForm } from './emergency-form.tsx'
import { EmergencyAbsent } from './emergency-frame.tsx'
import { inputOf } from './rules.ts'
import { useLeave } from './use-leave.ts'
import { useSavedFlash } from './use-saved-flash.ts'

interface EmergencyAddScreenProps {
  requestId: string
  workingDate: string | undefined
}

/** 緊急報告登録. */
export function EmergencyAddScreen({ requestId, workingDate }: EmergencyAddScreenProps) {
  const { t } = useLingui()
  const visit = useVisitOf(requestId, workingDate)
  if (visit === 'missing') return <Navigate to="/not-found" replace />
  if (typeof visit === 'string')
    return <EmergencyAbsent title={t`緊急報告登録`} loading={visit === 'loading'} />
  return <AddForm request={visit.request} />
}

function AddForm({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const { newId } = useServices()
  const saver = useSaver()
  const leave = useLeave()
  const tellSaved = useSavedFlash()
  const [recordKey] = useState(newId)
  const [initial] = useState(() => inputOf())
  const { id: requestId, workingDate } = request
  const photos = useFormPhotos({ resource: 'emergencyReports', recordKey, requestId, workingDate })
  return (
    <EmergencyForm
      title={t`緊急報告登録`}
      back={<BackLink to="/emergencyReport/$id" params={{ id: requestId }} search={{ workingDate }} />}
      request={request}
      initial={initial}
      draftKey={`emergencyReport/add/${request.key}`}
      photos={photos}
      onSave={async (draft) => {
        const parts = saver()
        if (!parts) return undefined
        // what a save that failed half-way has made already is changed, not made twice
        const made = (await parts.db.emergencyReports.findOne(recordKey).exec())?.toMutableJSON() ?? null
        await photos.save(() => saveEmergencyReport(parts, request, draft, made, recordKey))
        tellSaved()
        return leave.back({ requestId, workingDate })
      }}
    />
  )
}
