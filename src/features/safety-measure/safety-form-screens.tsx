import { useLingui } from '@lingui/react/macro'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { SafetyNeedFlag, SafetyType } from '#schemas/codes.ts'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { messageText } from '#messages/messages.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import {
  isRegistered,
  isUnnecessary,
  type SafetyMeasureView,
  type SafetyRow,
  type SafetyTypeCode,
  useSafetyMeasure,
  useSafetyRows,
} from '#data/resources/safety-measures.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { useBackOr } from '#data/context/use-leave-form.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import type { Visit } from '#data/visits/visits.ts'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { saveSafetyMeasure } from './commands.ts'
import { addTarget, type AddQuery } from './rules.ts'
import { SafetyForm } from './safety-form.tsx'
import { useMeasureVisit } from './use-measure-visit.ts'

/** The screen 安全対策登録. An incomplete URL leads to not-found (spec 2). */
export function SafetyAddScreen({ query }: { query: AddQuery }) {
  const target = addTarget(query)
  if (!target) return <Navigate to="/not-found" replace />
  return <Add {...target} workingDateType={query.workingDateType} />
}

interface AddProps extends NonNullable<ReturnType<typeof addTarget>> {
  workingDateType: string | undefined
}

function Add({ requestId, workingDate, ...props }: AddProps) {
  const { t } = useLingui()
  const visit = useLatched(`${requestId} ${workingDate}`, useVisitOf(requestId, workingDate))
  if (typeof visit === 'string') return <RequestFormAbsent title={t`安全対策登録`} state={visit} />
  return <AddOf visit={visit} {...props} />
}

type AddOfProps = Pick<AddProps, 'safetyType' | 'workingDateType'> & { visit: Visit }

/** Reads the measure of this type, which somebody may have registered already. */
function AddOf({ safetyType, ...props }: AddOfProps) {
  const { t } = useLingui()
  const row = useSafetyRows(props.visit.request)?.find(({ type }) => type === safetyType)
  if (!row) return <RequestFormAbsent title={t`安全対策登録`} state="loading" />
  return <AddForm row={row} {...props} />
}

/** Checks on opening and again on saving if the measure may be registered. */
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
    // The detail screen of 不要 shows no photos, so the save is refused and the photos stay in the draft.
    const isBarred = now !== null && isRegistered(now) && isUnnecessary(now)
    return submit({
      draft: photos.draft,
      bar: isBarred ? { text: taken, go: () => leave.toMeasure(now) } : null,
      async write(saver) {
        const { needed } = SafetyNeedFlag.code
        const saved = await saveSafetyMeasure(saver, visit.request, row.type, needed)
        // `registered`: another save was first. The photos of this form are then added to the registered measure.
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

/** The screen 安全対策編集, which edits only photos (crm-contract 4). A measure with 不要 leads to not-found (spec 4). */
export function SafetyEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const measure = useLatched(id, useSafetyMeasure(id))
  if (typeof measure === 'string') return <RequestFormAbsent title={t`安全対策編集`} state={measure} />
  const { safetyType } = measure
  if (!SafetyType.has(safetyType)) return <Navigate to="/not-found" replace />
  return <Edit key={id} measure={measure} safetyType={safetyType} />
}

/** Checks on opening if the measure can be edited. Later changes do not close the form. */
function Edit(props: EditFormProps) {
  const { safetyType } = props
  const [atStart] = useState(props.measure)
  const { requestId, workingDate } = atStart
  if (isUnnecessary(atStart)) return <Navigate to="/not-found" replace />
  // A refused or expired registration is repeated with the add form.
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
      // A colleague may have changed 要 to 不要 meanwhile. The detail screen of 不要 shows no photos.
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

function useLeaveSafety(
  { id: requestId, workingDate }: { id: string; workingDate: string },
  workingDateType: string | undefined,
) {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const select = { params: { requestId }, search: { workingDateType: workingDateType ?? '', workingDate } }
  return {
    select,
    toMeasure: ({ id }: SafetyMeasureView) =>
      navigate({ to: '/safetyMeasure/$id', params: { id }, replace: true }),
    /** Opens the previous screen, or 安全対策選択 if the history has none. */
    back: () => backOr(() => navigate({ to: '/safetyMeasure/select/$requestId', ...select, replace: true })),
  }
}
