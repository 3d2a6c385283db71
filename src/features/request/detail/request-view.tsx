import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { memo, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useServices } from '#data/context/app-context.tsx'
import { requestFacts, requestHead } from '#data/visits/request-facts.ts'
import { useFreshDetail, useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { useDayOpened, useToday } from '#data/context/use-now.ts'
import { useVisitsOfRequest, shownVisit } from '#data/visits/use-visits.ts'
import type { Visit } from '#data/visits/visits.ts'
import { HandoverSection } from '#features/handover/handover-section.tsx'
import { useHandover, type Handover } from '#features/handover/use-handover.ts'
import { NotHere, ListLoadLine } from '#features/request-form/list-load-state.tsx'
import { NightLine } from '#features/request-form/night-marks.tsx'
import { dayText } from '#lib/time/tokyo-time.ts'
import { measurePaint } from '#lib/time/user-timing.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Columns, Later } from '#ui/layout/desk.tsx'
import { Pad, PairBar } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Popup, useOpenPopup, usePopup } from '#ui/popup/use-popup.ts'
import { BoardSkeleton, RequestBoard, useStuck } from '#ui/request/request-board.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { RequestDefs } from '#ui/request/request-facts.tsx'
import { EntrySheet } from '#features/request/entry/entry-sheet.tsx'
import { ChangeSection, DraftLinks, GoodsSection, ReportLinks } from './request-sections.tsx'
import { SafetySection } from './safety-measure-section.tsx'
import { ViewActions } from './view-actions.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { PitDepth, PitTraffic } from '#schemas/codes.ts'
import { pitLabel, type PitField } from '#schemas/device/runtime-config.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { shownLabel } from '#lib/language.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { PhoneLink } from '#ui/request/mini.tsx'

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

interface RequestPopupProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 地下ピット with the results of the survey. A code without a label is shown as its number: コード 3 (spec 3). */
function UnderPitSheet({ request, onClose }: RequestPopupProps) {
  const { t } = useLingui()
  const { codeLabels } = useServices()
  const labelOf = (field: PitField, code: string | null) =>
    code === null ? t`なし` : (pitLabel(codeLabels, field, code) ?? t`コード ${code}`)
  const absence = useDetailAbsence(request)
  const surveys = request.detail?.underPitSurvey
  return (
    <Sheet heading={t`地下ピット`} onClose={onClose}>
      {!surveys && <ListLoadLine loadState={{ state: absence ?? 'reading' }} none={null} />}
      {surveys?.length === 0 && <p>{t`調査結果はありません`}</p>}
      {surveys?.map((pit, index) => (
        <Brief key={`${pit.site} ${index}`}>
          <BriefItem label={t`場所`}>{labelOf('site', pit.site)}</BriefItem>
          <BriefItem label={t`深さ`}>
            {pit.depth === null ? t`なし` : shownLabel(PitDepth.label(pit.depth))}
          </BriefItem>
          <BriefItem label={t`人や車の通行`}>
            {pit.traffic === null ? t`なし` : shownLabel(PitTraffic.label(pit.traffic))}
          </BriefItem>
          <BriefItem label={t`ハッチ・マンホール`}>{labelOf('hatch', pit.hatch)}</BriefItem>
          <BriefItem label={t`脚立`}>{labelOf('stepladder', pit.stepladder)}</BriefItem>
          <BriefItem label={t`監視人`}>{labelOf('observer', pit.observer)}</BriefItem>
          <BriefItem label={t`誘導員`}>{labelOf('guide', pit.guide)}</BriefItem>
        </Brief>
      ))}
    </Sheet>
  )
}

/** The popup 入館連絡先 with all values of the contact. */
function InContactSheet({ request, onClose }: RequestPopupProps) {
  const { t } = useLingui()
  const contact = request.inLocationContact
  const rows = [
    { label: t`入館連絡先名`, value: contact?.name },
    { label: t`入館連絡先フリガナ`, value: contact?.kana },
    { label: t`部署`, value: contact?.section },
    { label: t`役職`, value: contact?.class },
    { label: t`担当者名`, value: contact?.staffName },
    { label: t`連絡手段`, value: contact?.means },
    { label: t`メールアドレス`, value: contact?.email },
    {
      label: t`電話番号`,
      value: contact?.tel1,
      action: contact?.tel1 && <PhoneLink number={contact.tel1} />,
    },
  ]
  return (
    <Sheet heading={t`入館連絡先`} onClose={onClose}>
      <Brief>
        {rows.map(({ label, value, action }) => (
          <BriefItem key={label} label={label} action={action}>
            {value || t`なし`}
          </BriefItem>
        ))}
      </Brief>
    </Sheet>
  )
}
