import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { Image, Trash2, TriangleAlert } from 'lucide-react'
import { useState, useMemo } from 'react'
import { leftIn, RECEIVED_MAX, type LeftPhotos } from '#lib/received-left.ts'
import { useServices, useNamedQuery } from '#data/context/app-context.tsx'
import { visitIn } from '#schemas/resources/visit-key.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Button, ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { Icon } from '#ui/base/icon.tsx'
import styles from '#ui/photo/thumbs.module.css'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'
import { ViewSkeleton, ListSkeleton } from '#ui/request/skeleton.tsx'
import { useReceivedPhotos, type ReceivedPhotos } from './use-received-photos.ts'
import { VisitForms } from './visit-forms.tsx'
import { PHOTO_READ_MAX_MB } from '#schemas/limits.ts'
import { messageText } from '#messages/messages.ts'
import { Pad, ListEnd } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { useMinute } from '#data/context/use-now.ts'
import { visitsOfDaysQuery } from '#data/visits/first-queries.ts'
import type { VisitRow } from '#data/visits/visits.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedDay } from '#lib/time/working-day.ts'
import { NightMarks, useRowFacts } from '#features/request-form/night-marks.tsx'
import { DayList, type RowEdge, rowEdge, VisitLink } from '#ui/request/visit-row.tsx'

interface ReceivedScreenProps {
  /** The files that were not accepted, encoded for the URL (`lib/received-left.ts`). */
  left: string | undefined
  /** The chosen visit as `<requestId>_<YYYY-MM-DD>`. */
  visit: string | undefined
}

/** The screen 共有された写真: the user chooses a visit and a form, and the form adds the shared photos. */
export function ReceivedScreen({ left, visit }: ReceivedScreenProps) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const received = useReceivedPhotos()
  const lost = leftIn(left)
  const title = t`共有された写真`
  if (!received)
    return (
      <Frame title={title} back={<BackLink to="/request" />}>
        <ViewSkeleton />
      </Frame>
    )
  const ids = received.photos.map(({ id }) => id)
  const count = ids.length
  const chosen = visitIn(visit ?? '')
  if (count === 0) return <NothingReceived title={title} left={lost} />
  return (
    <Frame
      title={title}
      back={visit === undefined ? <BackLink to="/request" /> : <BackLink to="/share" search={{}} />}
      footer={<DiscardBar received={received} />}
    >
      <LeftNotice left={lost} />
      <SectionHead>{t`写真 ${count}枚`}</SectionHead>
      <ul className={styles.plain} aria-label={title}>
        {ids.map((id, index) => {
          const n = index + 1
          const src = received.thumbs.get(id)
          return (
            <li key={n}>{src === undefined ? <Icon as={Image} /> : <img src={src} alt={t`写真${n}`} />}</li>
          )
        })}
      </ul>
      <UnreadableNotice n={received.unreadable} />
      {chosen ? <VisitForms {...chosen} received={ids} /> : <TodaysVisits />}
    </Frame>
  )
}

function NothingReceived({ title, left }: { title: string; left: readonly LeftPhotos[] }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  if (left.length === 0) return <Navigate to="/request" replace />
  return (
    <Frame title={title} back={<BackLink to="/request" />}>
      <LeftNotice left={left} />
      <Empty art="device" heading={t`受け取った写真はありません`}>
        <ButtonLink to="/request" search={{}} variant="primary">{t`依頼検索へ戻る`}</ButtonLink>
      </Empty>
    </Frame>
  )
}

/** The button 破棄. It asks for confirmation, because the app's copies of the photos cannot be restored. */
function DiscardBar({ received: { photos, discard } }: { received: ReceivedPhotos }) {
  const { t } = useLingui()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const count = photos.length
  const yes = async () => {
    setBusy(true)
    await discard().finally(() => setBusy(false))
    setAsking(false)
  }
  return (
    <>
      <ActionBar>
        <Button variant="danger" tall wide icon={Trash2} onClick={() => setAsking(true)}>{t`破棄`}</Button>
      </ActionBar>
      {isAsking && (
        <ConfirmSheet
          question={t`共有された写真${count}枚を破棄しますか？`}
          destructive
          busy={isBusy}
          onYes={() => void yes()}
          onNo={() => setAsking(false)}
        >
          <p>{t`このアプリの中の写真だけが消えます。ギャラリーの写真は残ります。`}</p>
        </ConfirmSheet>
      )}
    </>
  )
}

/** One line for each reason why shared files were not accepted, with advice. */
function LeftNotice({ left }: { left: readonly LeftPhotos[] }) {
  const { t, i18n } = useLingui()
  const reasons: Record<LeftPhotos['why'], string> = {
    ec00015: messageText(i18n, 'ec00015'),
    ec00016: messageText(i18n, 'ec00016', { n: PHOTO_READ_MAX_MB }),
    full: t`待っている写真が上限（${RECEIVED_MAX}枚、合計200MB）に達しています。フォームに追加するか破棄してから、もう一度共有してください。`,
    room: t`端末の空き容量が足りません。空きを増やしてから、もう一度共有してください。`,
    login: t`ログインの前に共有された写真は受け取れません。もう一度共有してください。`,
    worker: t`アプリの準備ができていなかったため、受け取れませんでした。もう一度共有してください。`,
    failed: t`写真を読み込めませんでした。もう一度共有してください。`,
  }
  return left.map(({ why, n }) => {
    const reason = reasons[why]
    return <Warning key={why}>{n > 0 ? t`受け取れなかったファイル ${n}件：${reason}` : reason}</Warning>
  })
}

/** The line about photos that cannot be decrypted, because they were shared before the password was changed. */
function UnreadableNotice({ n }: { n: number }) {
  const { t } = useLingui()
  if (n === 0) return null
  return (
    <Warning>{t`${n}枚は、以前のパスワードで封印されているため開けません。もう一度共有してください。`}</Warning>
  )
}

const Warning = ({ children }: { children: string }) => (
  <Pad>
    <p role="alert">
      <Mark icon={TriangleAlert} tone="warn">
        {children}
      </Mark>
    </p>
  </Pad>
)

/** Today's visits and last night's unfinished visits, as on 依頼検索. Each links to its forms. */
function TodaysVisits() {
  const { t } = useLingui()
  const visits = useTodaysVisits()
  return (
    <>
      <SectionHead>{t`どの依頼に追加しますか`}</SectionHead>
      {!visits && <ListSkeleton />}
      {visits?.length === 0 && <ListEnd>{t`今日の依頼がこの端末にありません。写真は1日待ちます。`}</ListEnd>}
      {visits && visits.length > 0 && (
        <DayList>
          {visits.map((visit, index) => (
            <li key={visit.request.key}>
              <Visit visit={visit} edge={rowEdge(index, visits.length)} />
            </li>
          ))}
        </DayList>
      )}
    </>
  )
}

function useTodaysVisits(): VisitRow[] | undefined {
  const now = useMinute()
  const today = tokyoToday(now)
  const carried = carriedDay(now)
  const query = useMemo(() => visitsOfDaysQuery({ from: carried ?? today, to: today }), [carried, today])
  const list = useNamedQuery(query)
  return useMemo(
    () =>
      list?.rows
        .filter((row) => row.workingDate === today || list.stateOf(row) !== 'out')
        .map((row) => list.visitOf(row)),
    [list, today],
  )
}

function Visit({ visit, edge }: { visit: VisitRow; edge: RowEdge | undefined }) {
  const { request, state } = visit
  return (
    <VisitLink
      {...useRowFacts(visit)}
      to="/share"
      search={{ visit: request.key }}
      node={state}
      now={state === 'in'}
      edge={edge}
      marks={<NightMarks visit={visit} />}
    />
  )
}
