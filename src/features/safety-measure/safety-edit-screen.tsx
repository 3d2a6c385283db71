import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SafetyType } from '#schemas/codes.ts'
import { messageText } from '#messages/messages.ts'
import {
  isRegistered,
  isUnnecessary,
  type SafetyMeasureView,
  type SafetyTypeCode,
  useSafetyMeasure,
} from '#data/resources/safety-measures.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { SafetyForm } from './safety-form.tsx'
import { useLeaveSafety } from './use-leave.ts'
import { useMeasureVisit } from './use-measure-visit.ts'

/** The screen 安全対策編集: only photos can be edited (crm-contract 4). A measure with 不要 leads to not-found (spec 4). */
export function SafetyEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const measure = useLatched(id, useSafetyMeasure(id))
  if (typeof measure === 'string') return <RequestFormAbsent title={t`安全対策編集`} state={measure} />
  const { safetyType } = measure
  if (!SafetyType.has(safetyType)) return <Navigate to="/not-found" replace />
  return <Edit key={id} measure={measure} safetyType={safetyType} />
}

/** Checks on opening whether there is something to edit. Later changes do not close the form. */
function Edit(props: EditFormProps) {
  const { safetyType } = props
  const [atStart] = useState(props.measure)
  const { requestId, workingDate } = atStart
  if (isUnnecessary(atStart)) return <Navigate to="/not-found" replace />
  // A refused or expired measure is registered again.
  if (!isRegistered(atStart))
    return <Navigate to="/safetyMeasure/add" search={{ requestId, safetyType, workingDate }} replace />
  return <EditForm {...props} />
}

interface EditFormProps {
  measure: SafetyMeasureView
  safetyType: SafetyTypeCode
}

function EditForm({ measure, safetyType }: EditFormProps) {
  const { t, i18n } = useLingui()
  const visit = useMeasureVisit(measure)
  const submit = useSave('safetyMeasure', 'edit')
  const { requestId: id, workingDate } = measure
  const target = { resource: 'safetyMeasures', recordKey: measure.key, requestId: id, workingDate }
  const photos = useFormPhotos(target, `safetyMeasure/edit/${measure.key}`, true)
  const leave = useLeaveSafety({ id, workingDate }, visit?.request.workingDateType ?? undefined)
  if (visit === undefined) return <RequestFormAbsent title={t`安全対策編集`} state="loading" />
  const taken = messageText(i18n, 'ec00027')
  const save = () =>
    submit({
      draft: photos.draft,
      ready: photos.ready,
      // A colleague may have changed 要 to 不要 since the form opened; 不要 shows no photos.
      bar: isUnnecessary(measure) ? { text: taken, go: () => leave.toMeasure(measure) } : null,
      write: async () => undefined,
      leave: leave.back,
    })
  return (
    <SafetyForm
      action="edit"
      title={t`安全対策編集`}
      back={<BackLink to="/safetyMeasure/$id" params={{ id: measure.id }} />}
      visit={visit}
      safetyType={safetyType}
      ticked
      photos={photos}
      onSave={save}
    />
  )
}
