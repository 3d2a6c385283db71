import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SafetyNeedFlag } from '#schemas/codes.ts'
import { safetyKey } from '#schemas/safety-measure.ts'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/app-context.tsx'
import { LeaveWith } from '#data/leave-with.tsx'
import { isUnnecessary, type SafetyRow } from '#data/safety-measures.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { useSaver } from '#data/use-saver.ts'
import { useVisitOf } from '#data/use-visit-of.ts'
import type { Visit } from '#data/visits.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { BackLink } from '#ui/app-bar.tsx'
import { saveSafetyMeasure } from './commands.ts'
import { addTarget, type AddQuery } from './rules.ts'
import { SafetyForm } from './safety-form.tsx'
import { SafetyAbsent } from './safety-frame.tsx'
import { useLeave } from './use-leave.ts'
import { useSavedFlash } from './use-saved-flash.ts'

/** 安全対策登録. An address that does not say for what leads to not-found (spec 2). */
export function SafetyAddScreen({ query }: { query: AddQuery }) {
  const target = addTarget(query)
  if (!target) return <Navigate to="/not-found" replace />
  return <Add target={target} workingDateType={query.workingDateType} />
}

interface AddProps {
  target: NonNullable<ReturnType<typeof addTarget>>
  workingDateType: string | undefined
}

function Add({ target: { requestId, workingDate, safetyType }, workingDateType }: AddProps) {
  const { t } = useLingui()
  const visit = useVisitOf(requestId, workingDate)
  if (visit === 'missing') return <Navigate to="/not-found" replace />
  if (typeof visit === 'string') return <SafetyAbsent title={t`安全対策登録`} loading={visit === 'loading'} />
  return <AddOf visit={visit} safetyType={safetyType} workingDateType={workingDateType} />
}

interface AddOfProps {
  visit: Visit
  safetyType: SafetyRow['type']
  workingDateType: string | undefined
}

function AddOf({ visit, safetyType, workingDateType }: AddOfProps) {
  const { t } = useLingui()
  const row = useSafetyRows(visit.request)?.find(({ type }) => type === safetyType)
  if (!row) return <SafetyAbsent title={t`安全対策登録`} loading />
  return <AddForm visit={visit} row={row} workingDateType={workingDateType} />
}

/** Whether it may be filled in is judged when it opens and again at the save. */
function AddForm({ visit, row, workingDateType }: Omit<AddOfProps, 'safetyType'> & { row: SafetyRow }) {
  const { t, i18n } = useLingui()
  const { flash } = useServices()
  const saver = useSaver()
  const tellSaved = useSavedFlash()
  const leave = useLeave(visit.request, workingDateType)
  const [atStart] = useState(row.measure)
  const { id: requestId, workingDate } = visit.request
  const recordKey = safetyKey(requestId, workingDate, row.type)
  const photos = useFormPhotos({ resource: 'safetyMeasures', recordKey, requestId, workingDate })
  const taken = messageText(i18n, 'ec00027')
  if (atStart && atStart.state !== 'failed')
    return <LeaveWith text={taken} go={() => leave.toMeasure(atStart)} />
  const save = async () => {
    const parts = saver()
    if (!parts) return
    // where there is one by now, its photos are added to it
    const saved = await photos.save(() =>
      saveSafetyMeasure(parts, visit.request, row.type, SafetyNeedFlag.code.needed),
    )
    if (saved === 'registered') flash.show('danger', taken)
    else tellSaved()
    await leave.back()
  }
  return (
    <SafetyForm
      title={t`安全対策登録`}
      back={<BackLink to="/safetyMeasure/select/$requestId" {...leave.select} />}
      visit={visit}
      safetyType={row.type}
      ticked={atStart !== null && !isUnnecessary(atStart)}
      draftKey={`safetyMeasure/add/${recordKey}`}
      photos={photos}
      onSave={save}
    />
  )
}
