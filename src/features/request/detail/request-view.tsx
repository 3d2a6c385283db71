import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { memo, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/context/app-context.tsx'
import { requestFacts, requestHead } from '#data/visits/request-facts.ts'
import { useFreshDetail } from '#data/context/use-fetched-record.ts'
import { useDayOpened, useToday } from '#data/context/use-now.ts'
import { useVisitsOfRequest, shownVisit } from '#data/visits/use-visits.ts'
import type { Visit } from '#data/visits/visits.ts'
import { HandoverSection } from '#features/handover/handover-section.tsx'
import { useHandover, type Handover } from '#features/handover/use-handover.ts'
import { NotHere } from '#features/request-form/list-load-state.tsx'
import { NightLine } from '#features/request-form/night-marks.tsx'
import { dayText } from '#lib/time/tokyo-time.ts'
import { measurePaint } from '#lib/time/user-timing.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Columns, Later } from '#ui/layout/desk.tsx'
import { Pad, PairBar } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Popup, useOpenPopup, usePopup } from '#ui/popup/use-popup.ts'
import { BoardSkeleton, RequestBoard } from '#ui/request/request-board.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { RequestDefs } from '#ui/request/request-facts.tsx'
import { useStuck } from '#ui/base/use-stuck.ts'
import { EntrySheet } from '#features/request/entry/entry-sheet.tsx'
import { ChangeSection, DraftLinks, GoodsSection, ReportLinks } from './request-sections.tsx'
import { SafetySection } from './safety-measure-section.tsx'
import { InContactSheet, UnderPitSheet } from './request-popups.tsx'
import { ViewActions } from './view-actions.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'

/** The screen 依頼詳細. It shows the request from the device, and reads it once from the CRM while online. */
export function RequestViewScreen({ id, workingDate }: { id: string; workingDate: string | undefined }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const today = useDayOpened(id)
  const days = useVisitsOfRequest(id)
  const { visit, invalidDate } = shownVisit(days ?? [], workingDate, today)
  const day = invalidDate ? undefined : workingDate
  const detailState = useFreshDetail(id, day ?? visit?.request.workingDate ?? '', days !== undefined)
  const handover = useHandover(visit?.request ?? null)
  const isAsking = detailState === 'asked'
  if (!visit && detailState === 'missing') return <Navigate to="/not-found" replace />
  // All sections appear together, because a section that appears later would push the sections below it down.
  if (visit && days && handover)
    return <RequestView visit={visit} days={days} handover={handover} invalidDate={invalidDate} />
  const loading = days === undefined || visit !== null || isAsking
  return (
    <Frame
      title={t`依頼詳細`}
      titleInBoard={loading}
      back={<BackLink to="/request" />}
      board={loading && <BoardSkeleton title={t`依頼詳細`} />}
      center={!loading}
    >
      {loading ? <ViewSkeleton /> : <NotHere />}
    </Frame>
  )
}

interface RequestViewProps {
  visit: Visit
  days: readonly Visit[]
  handover: Handover
  invalidDate: boolean
}

/** 依頼詳細 of one visit. Memoised, because most answers of the CRM bring the same values. */
const RequestView = memo(function RequestView({ visit, days, handover, invalidDate }: RequestViewProps) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const { ref, stuck } = useStuck()
  const openContact = useOpenPopup('contact')
  const openUnderPit = useOpenPopup('under-pit')
  const { request } = visit
  const today = useToday()
  const title = t`依頼詳細`
  useLayoutEffect(() => measurePaint('app:open-request'), [request.key])
  return (
    <Frame
      title={title}
      titleInBoard
      back={<BackLink to="/request" />}
      sub={request.locationName}
      stuck={stuck}
      board={
        <RequestBoard
          ref={ref}
          head={requestHead(request)}
          date={dayText(request.workingDate, today)}
          title={title}
        />
      }
      footer={<ViewActions visit={visit} />}
    >
      {invalidDate && (
        <Pad>
          <Mark icon={Info}>{t`作業日の指定が正しくないため、直近の作業日を表示しています。`}</Mark>
        </Pad>
      )}
      <NightLine visit={visit} />
      <DaySwitcher days={days} shown={visit} />
      <Columns>
        <div>
          <HandoverSection request={request} handover={handover} />
          <DraftLinks request={request} />
          <ReportLinks request={request} />
          <RequestDefs facts={requestFacts(request)} onInContact={openContact} onUnderPit={openUnderPit} />
        </div>
        <Later>
          <ChangeSection request={request} />
          <SafetySection request={request} />
          <GoodsSection request={request} />
        </Later>
      </Columns>
      <Popup name="contact">{(close) => <InContactSheet request={request} onClose={close} />}</Popup>
      <Popup name="under-pit">{(close) => <UnderPitSheet request={request} onClose={close} />}</Popup>
      <EntryPopup visit={visit} />
    </Frame>
  )
})

/** The popup 入館登録. If somebody else registers the entry meanwhile, the popup closes and a banner says so. */
function EntryPopup({ visit }: { visit: Visit }) {
  const { t, i18n } = useLingui()
  const { flash } = useServices()
  const { isOpen, close } = usePopup('entry')
  // True while this popup saves. Its own entry must not close it like an entry by somebody else.
  const [isOwn, setOwn] = useState(false)
  const isOver = isOpen && visit.state !== 'none'
  const closeWithReason = useEffectEvent(() => {
    flash.show('danger', messageText(i18n, visit.state === 'out' ? 'ec00011' : 'ec00027'))
    close()
  })
  useEffect(() => {
    if (isOver && !isOwn) closeWithReason()
  }, [isOver, isOwn])
  if (!isOpen && isOwn) setOwn(false)
  if (!isOpen || isOver) return null
  return (
    <EntrySheet heading={t`入館登録`} visits={[visit]} onClose={close} onSaving={setOwn} onSaved={close} />
  )
}

function DaySwitcher({ days, shown }: { days: readonly Visit[]; shown: Visit }) {
  const { t } = useLingui()
  const today = useToday()
  if (days.length < 2) return null
  return (
    <nav aria-label={t`作業日の切り替え`}>
      <PairBar>
        {days.map(({ request: { id, key, workingDate } }) => (
          <ButtonLink
            key={key}
            to="/request/$id"
            params={{ id }}
            search={{ workingDate }}
            replace
            variant={key === shown.request.key ? 'primary' : 'quiet'}
            current={key === shown.request.key ? 'date' : undefined}
          >
            {dayText(workingDate, today)}
          </ButtonLink>
        ))}
      </PairBar>
    </nav>
  )
}
