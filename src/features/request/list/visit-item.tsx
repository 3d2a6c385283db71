import { useLingui } from '@lingui/react/macro'
import { CloudOff, Info } from 'lucide-react'
import { NightMarks } from '#features/request-form/night-marks.tsx'
import { requestHead } from '#data/visits/request-facts.ts'
import { useReadAhead } from '#data/visits/first-queries.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { Icon } from '#ui/base/icon.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { RequestTags } from '#ui/request/request-board.tsx'
import { type RowEdge, VisitLink, VisitPick } from '#ui/request/visit-row.tsx'
import type { NotSelectable } from './group.ts'
import { TimesMark, VisitMarks } from './visit-marks.tsx'

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
  if (picking) return <PickItem visit={visit} picking={picking} />
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

function PickItem({ visit, picking }: { visit: VisitRow; picking: Picking }) {
  const { t } = useLingui()
  const reasons: Record<NotSelectable, string> = {
    'not-entered': t`未入館のため選べません`,
    entered: t`入館済のため選べません`,
    left: t`退館済のため選べません`,
    elsewhere: t`作業日か現場が違うため選べません`,
  }
  const facts = useRowFacts(visit)
  const reason = picking.whyNotSelectable(visit)
  return (
    <VisitPick
      {...facts}
      checked={picking.isChosen(visit)}
      disabled={reason !== null}
      onChange={(on) => picking.toggle(visit, on)}
      marks={reason ? <Mark icon={Info}>{reasons[reason]}</Mark> : <PickMarks visit={visit} />}
    />
  )
}

const PickMarks = ({ visit }: { visit: VisitRow }) => (
  <>
    <NightMarks visit={visit} />
    <TimesMark visit={visit} />
  </>
)

function useRowFacts({ request }: VisitRow) {
  const { t } = useLingui()
  const { start, end, code, place, order, emergency } = requestHead(request)
  return {
    start: start || t`時刻未定`,
    end: end || undefined,
    code,
    place,
    customer: request.customerName ?? undefined,
    tags: <RequestTags order={order} emergency={emergency} />,
  }
}
