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
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
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
  const { i18n } = useLingui()
  const { type, measure } = row
  const { request } = visit
  const leave = useLeaveSafety(request, workingDateType)
  const [atStart] = useState(measure)
  const taken = messageText(i18n, 'ec00027')
  if (atStart && isRegistered(atStart)) return <LeaveWith text={taken} go={() => leave.toMeasure(atStart)} />
  return (
    <SafetyForm
      action="add"
      {...{ visit, measure, leave }}
      of={request}
      recordKey={safetyKey(request.id, request.workingDate, type)}
      safetyType={type}
      ticked={atStart !== null && !isUnnecessary(atStart)}
      back={<BackLink to="/safetyMeasure/select/$requestId" {...leave.select} />}
      write={async (saver) => {
        const saved = await saveSafetyMeasure(saver, request, type, SafetyNeedFlag.code.needed)
        // `registered`: another save was first. The photos of this form are then added to the registered measure.
        return saved === 'registered' ? taken : undefined
      }}
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
  const { t } = useLingui()
  const visit = useMeasureVisit(measure)
  const of = { id: measure.requestId, workingDate: measure.workingDate }
  const leave = useLeaveSafety(of, visit?.request.workingDateType ?? undefined)
  if (visit === undefined) return <RequestFormAbsent title={t`安全対策編集`} state="loading" />
  return (
    <SafetyForm
      action="edit"
      {...{ visit, measure, leave, of, safetyType }}
      recordKey={measure.key}
      ticked
      back={<BackLink to="/safetyMeasure/$id" params={{ id: measure.id }} />}
      write={async () => undefined}
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
