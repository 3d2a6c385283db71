import { useLingui } from '@lingui/react/macro'
import { DoorOpen, Info, LogIn } from 'lucide-react'
import { useToday } from '#data/context/use-now.ts'
import type { SendState } from '#schemas/changes/change-queue.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList, VisitRow } from '#data/visits/visits.ts'
import { NightMarks } from '#features/request-form/night-marks.tsx'
import { timeOn } from '#lib/time/tokyo-time.ts'
import { Mark } from '#ui/feedback/mark.tsx'
import { SendStateBadge } from '#ui/feedback/send-state.tsx'

/**
 * The mark with a visit's entry and exit times. Examples: 入館 08:56, 入館 07:28・退館 08:21. Nothing is rendered before the
 * entry.
 */
export function TimesMark({ visit: { request, report, state } }: { visit: VisitRow }) {
  const { t } = useLingui()
  const today = useToday()
  const entered = timeOn(report?.inTime ?? null, request.workingDate, today)
  const left = timeOn(report?.outTime ?? null, request.workingDate, today)
  switch (state) {
    case 'none':
      return null
    case 'in':
      return <Mark icon={LogIn} tone="in" num>{t`入館 ${entered}`}</Mark>
    case 'out':
      return (
        <Mark icon={DoorOpen} num>
          {entered ? t`入館 ${entered}・退館 ${left}` : t`退館 ${left}`}
        </Mark>
      )
  }
}

/** A row's marks: its times, edits by others, unsaved input, and the report's send state (sync RULES ST1). */
export function VisitMarks({ visit }: { visit: VisitRow }) {
  const { t } = useLingui()
  const { report } = visit
  const unsent = report?.unsent
  const counted = unsent && (unsent.state === 'failed' || unsent.state === 'expired' || unsent.count > 1)
  return (
    <>
      <NightMarks visit={visit} />
      <TimesMark visit={visit} />
      {report?.changedByOthers && <Mark icon={Info} tone="warn">{t`他社が変更`}</Mark>}
      {visit.hasDraft && <SendStateBadge state="draft" />}
      {unsent && <SendStateBadge state={unsent.state} count={counted ? unsent.count : undefined} />}
    </>
  )
}

interface FoldMarksProps {
  done: readonly ListedRequest[]
  list: Pick<VisitList, 'visitOf'>
}

/**
 * The marks of the line 完了. They repeat the hidden visits' marks for edits by others, unsaved input, and changes that
 * need a decision.
 */
export function FoldMarks({ done, list }: FoldMarksProps) {
  const { t } = useLingui()
  const visits = done.map((row) => list.visitOf(row))
  const reports = visits.map(({ report }) => report)
  const drafts = visits.filter(({ hasDraft }) => hasDraft).length
  const edited = reports.filter((report) => report?.changedByOthers).length
  const countIn = (state: SendState) => reports.filter((report) => report?.unsent?.state === state).length
  const [failed, expired] = [countIn('failed'), countIn('expired')]
  return (
    <>
      {edited > 0 && <Mark icon={Info} tone="warn">{t`他社が変更 ${edited}件`}</Mark>}
      {drafts > 0 && <SendStateBadge state="draft" count={drafts} />}
      {failed > 0 && <SendStateBadge state="failed" count={failed} />}
      {expired > 0 && <SendStateBadge state="expired" count={expired} />}
    </>
  )
}
