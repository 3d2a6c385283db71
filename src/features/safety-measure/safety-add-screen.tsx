import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SafetyNeedFlag } from '#schemas/codes.ts'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { messageText } from '#messages/messages.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import {
  isRegistered,
  isUnnecessary,
  type SafetyRow,
  useSafetyRows,
} from '#data/resources/safety-measures.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import type { Visit } from '#data/visits/visits.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { saveSafetyMeasure } from './commands.ts'
import { addTarget, type AddQuery } from './rules.ts'
import { SafetyForm } from './safety-form.tsx'
import { useLeaveSafety } from './use-leave.ts'

/** The screen 安全対策登録. An incomplete URL leads to not-found (spec 2). */
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
  const visit = useLatched(`${requestId} ${workingDate}`, useVisitOf(requestId, workingDate))
  if (typeof visit === 'string') return <RequestFormAbsent title={t`安全対策登録`} state={visit} />
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
  if (!row) return <RequestFormAbsent title={t`安全対策登録`} state="loading" />
  return <AddForm visit={visit} row={row} workingDateType={workingDateType} />
}

/** Checks on opening and again on saving whether the form may be filled in. */
function AddForm({ visit, row, workingDateType }: Omit<AddOfProps, 'safetyType'> & { row: SafetyRow }) {
  const { t, i18n } = useLingui()
  const submit = useSave('safetyMeasure', 'add')
  const leave = useLeaveSafety(visit.request, workingDateType)
  const [atStart] = useState(row.measure)
  const { id: requestId, workingDate } = visit.request
  const recordKey = safetyKey(requestId, workingDate, row.type)
  const target = { resource: 'safetyMeasures', recordKey, requestId, workingDate }
  const photos = useFormPhotos(target, `safetyMeasure/add/${recordKey}`)
  const taken = messageText(i18n, 'ec00027')
  if (atStart && isRegistered(atStart)) return <LeaveWith text={taken} go={() => leave.toMeasure(atStart)} />
  const save = () => {
    const now = row.measure
    // A measure with 不要 shows no photos, so these stay in the draft.
    const isBarred = now !== null && isRegistered(now) && isUnnecessary(now)
    return submit({
      draft: photos.draft,
      ready: photos.ready,
      bar: isBarred ? { text: taken, go: () => leave.toMeasure(now) } : null,
      async write(saver) {
        // If a measure exists by now, the photos are added to it.
        const { needed } = SafetyNeedFlag.code
        const saved = await saveSafetyMeasure(saver, visit.request, row.type, needed)
        return saved === 'registered' ? taken : undefined
      },
      leave: leave.back,
    })
  }
  return (
    <SafetyForm
      action="add"
      title={t`安全対策登録`}
      back={<BackLink to="/safetyMeasure/select/$requestId" {...leave.select} />}
      visit={visit}
      safetyType={row.type}
      ticked={atStart !== null && !isUnnecessary(atStart)}
      photos={photos}
      onSave={save}
    />
  )
}
