import { useLingui } from '@lingui/react/macro'
import { CloudOff, DoorOpen, Info, LogIn } from 'lucide-react'
import { useToday } from '#data/context/use-now.ts'
import { NightMarks, useRowFacts } from '#features/request-form/night-marks.tsx'
import { useReadAhead } from '#data/visits/first-queries.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList, VisitRow } from '#data/visits/visits.ts'
import { timeOn } from '#lib/time/tokyo-time.ts'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { Icon } from '#ui/base/icon.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { SendStateBadge } from '#ui/feedback/send-state.tsx'
import { type RowEdge, VisitLink, VisitPick } from '#ui/request/visit-row.tsx'
import type { NotSelectable } from './group.ts'

export interface Picking {
  isChosen(visit: VisitRow): boolean
  whyNotSelectable(visit: VisitRow): NotSelectable | null
  toggle(visit: VisitRow, on: boolean): void
}

interface VisitItemProps {
  visit: VisitRow
  edge: RowEdge | undefined
  current: boolean
  picking: Picking | null
}

/** A visit in the list: a link, or a checkbox in まとめて登録. */
export function VisitItem({ visit, edge, current, picking }: VisitItemProps) {
  const { request, state } = visit
  const facts = useRowFacts(visit)
  const readAhead = useReadAhead()
  const reason = picking && picking.whyNotSelectable(visit)
  if (picking)
    return (
      <VisitPick
        {...facts}
        checked={picking.isChosen(visit)}
        disabled={reason !== null}
        onChange={(on) => picking.toggle(visit, on)}
        marks={reason ? <WhyNot reason={reason} /> : <TimeMarks visit={visit} />}
      />
    )
  return (
    <VisitLink
      {...facts}
      to="/request/$id"
      params={{ id: request.id }}
      search={{ workingDate: request.workingDate }}
      onPointerDown={() => readAhead(request.id)}
      node={state}
      now={state === 'in'}
      current={current}
      edge={edge}
      marks={<VisitMarks visit={visit} />}
      aside={!visit.usableOffline && <NotUsable />}
    />
  )
}

/** The mark まだオフラインで使えません. It is beside the time, so that the row's height does not change. */
function NotUsable() {
  const { t } = useLingui()
  return (
    <>
      <Icon as={CloudOff} />
      <span className="vh">{t`まだオフラインで使えません`}</span>
    </>
  )
}

function WhyNot({ reason }: { reason: NotSelectable }) {
  const { t } = useLingui()
  const reasons: Record<NotSelectable, string> = {
    'not-entered': t`未入館のため選べません`,
    entered: t`入館済のため選べません`,
    left: t`退館済のため選べません`,
    elsewhere: t`作業日か現場が違うため選べません`,
  }
  return <Mark icon={Info}>{reasons[reason]}</Mark>
}

/** The marks of a night, and the entry and exit times. Examples: 入館 08:56, 入館 07:28・退館 08:21. */
function TimeMarks({ visit }: { visit: VisitRow }) {
  const { t } = useLingui()
  const today = useToday()
  const { request, report, state } = visit
  const entered = timeOn(report?.inTime ?? null, request.workingDate, today)
  const left = timeOn(report?.outTime ?? null, request.workingDate, today)
  return (
    <>
      <NightMarks visit={visit} />
      {state === 'in' && <Mark icon={LogIn} tone="in" num>{t`入館 ${entered}`}</Mark>}
      {state === 'out' && (
        <Mark icon={DoorOpen} num>
          {entered ? t`入館 ${entered}・退館 ${left}` : t`退館 ${left}`}
        </Mark>
      )}
    </>
  )
}

/** A row's marks: its times, edits by others, unsaved input, and the report's send state (sync RULES ST1). */
function VisitMarks({ visit }: { visit: VisitRow }) {
  const { t } = useLingui()
  const { report, hasDraft } = visit
  const unsent = report?.unsent
  const counted = unsent && (unsent.state === 'failed' || unsent.state === 'expired' || unsent.count > 1)
  return (
    <>
      <TimeMarks visit={visit} />
      {report?.changedByOthers && <Mark icon={Info} tone="warn">{t`他社が変更`}</Mark>}
      {hasDraft && <SendStateBadge state="draft" />}
      {unsent && <SendStateBadge state={unsent.state} count={counted ? unsent.count : undefined} />}
    </>
  )
}

interface FoldMarksProps {
  done: readonly ListedRequest[]
  list: Pick<VisitList, 'visitOf'>
}

/** The marks of the line 完了: those of the hidden visits' edits by others, unsaved input, and changes to decide on. */
export function FoldMarks({ done, list }: FoldMarksProps) {
  const { t } = useLingui()
  const visits = done.map(list.visitOf)
  const countOf = (isCounted: (visit: VisitRow) => boolean | undefined) => visits.filter(isCounted).length
  const edited = countOf(({ report }) => report?.changedByOthers)
  const drafts = countOf(({ hasDraft }) => hasDraft)
  const unsent = (state: SendState) => countOf(({ report }) => report?.unsent?.state === state)
  const counts = { draft: drafts, failed: unsent('failed'), expired: unsent('expired') }
  return (
    <>
      {edited > 0 && <Mark icon={Info} tone="warn">{t`他社が変更 ${edited}件`}</Mark>}
      {(['draft', 'failed', 'expired'] as const).map(
        (state) => counts[state] > 0 && <SendStateBadge key={state} state={state} count={counts[state]} />,
      )}
    </>
  )
}
