import { useLingui } from '@lingui/react/macro'
import { CircleCheck, CircleDashed, TriangleAlert, Hourglass } from 'lucide-react'
import { useEffect, useState } from 'react'
import { waitsForFiles } from '#schemas/changes/photo-queue.ts'
import { FILES_REFUSED_TEXT } from '#messages/reason-text.ts'
import { useLiveQuery, useServices } from '#data/context/app-context.tsx'
import { outboxQuery } from '#data/visits/first-queries.ts'
import { summariesOf, type FigureName, type FigureSummary, type Rating } from '#lib/field-figures.ts'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Lead } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { Section } from '#ui/layout/section.tsx'
import { ViewSkeleton } from '#ui/request/skeleton.tsx'
import { useTelemetry } from './telemetry-section.tsx'
import { useAnswer } from './use-answer.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useToday } from '#data/context/use-now.ts'
import { timeOn } from '#lib/time/tokyo-time.ts'

/** The screen 動作状況: measured speeds of the app on this device. */
export function FiguresScreen() {
  const { t, i18n } = useLingui()
  const { Frame, figures, clock } = useServices()
  const summaries = useAnswer(figures, async () => summariesOf(await figures().catch(() => []), clock.now()))
  const outbox = useLiveQuery(outboxQuery.key, outboxQuery.query)
  // Photos wait because the file store rejects the user's token.
  const isRefused = outbox?.photos.some(({ items }) => waitsForFiles(items))
  return (
    <Frame
      title={t`動作状況`}
      back={<BackLink to="/settings" />}
      center={summaries !== null && summaries.length === 0}
    >
      <Narrow>
        {isRefused && (
          <p>
            <Mark icon={TriangleAlert} tone="warn">
              {i18n._(FILES_REFUSED_TEXT)}
            </Mark>
          </p>
        )}
        <Waits />
      </Narrow>
      {summaries === null && <ViewSkeleton />}
      {summaries?.length === 0 && (
        <Empty
          art="done"
          heading={t`まだ測定していません`}
          advice={t`アプリを使うと、この端末での速さがここに出ます。`}
        />
      )}
      {summaries !== null && summaries.length > 0 && <Figures summaries={summaries} />}
    </Frame>
  )
}

function Figures({ summaries }: { summaries: readonly FigureSummary[] }) {
  const { t } = useLingui()
  const isSent = useTelemetry().facts !== null
  const isCall = ({ name }: FigureSummary) => name.startsWith('sync:')
  return (
    <Narrow>
      <Lead>
        {isSent
          ? t`この端末で最近7日間に測った速さです。まとめた値を、アプリの管理者へ送信しています（設定の「動作記録の送信」）。`
          : t`この端末で最近7日間に測った速さです。端末の外には送信しません。`}
      </Lead>
      <FigureSection heading={t`画面の速さ`} summaries={summaries.filter((each) => !isCall(each))} />
      <FigureSection heading={t`CRMとの通信`} summaries={summaries.filter(isCall)} />
    </Narrow>
  )
}

function FigureSection({ heading, summaries }: { heading: string; summaries: readonly FigureSummary[] }) {
  if (summaries.length === 0) return null
  return (
    <Section heading={heading}>
      <Defs>
        {summaries.map((summary) => (
          <FigureRow key={summary.name} summary={summary} />
        ))}
      </Defs>
    </Section>
  )
}

const RATING_MARKS: Record<Rating, Pick<Parameters<typeof Mark>[0], 'icon' | 'tone'>> = {
  good: { icon: CircleCheck, tone: 'in' },
  fair: { icon: CircleDashed },
  slow: { icon: TriangleAlert, tone: 'warn' },
}

function FigureRow({ summary }: { summary: FigureSummary }) {
  const { t, i18n } = useLingui()
  const { name, unit, median, p75, p98, count, lastDay, rating } = summary
  const isScore = unit === 'score'
  const [usual, most, nearlyAll] = [median, p75, p98].map((value) => {
    const seconds = (value / 1_000).toFixed(value < 10_000 ? 2 : 0)
    return isScore ? value.toFixed(2) : t`${seconds}秒`
  })
  // A score measures how far content has moved, so it is called large instead of slow.
  const words = {
    good: t`良い`,
    fair: isScore ? t`やや大きい` : t`やや遅い`,
    slow: isScore ? t`大きい` : t`遅い`,
  }
  return (
    <Def label={i18n._(LABELS[name])} long>
      <span className="strong">{t`4回に3回は${most}以内`}</span>{' '}
      <Mark {...RATING_MARKS[rating]}>{words[rating]}</Mark>
      <small>{t`真ん中は${usual}、100回に98回は${nearlyAll}以内`}</small>
      <small>{t`${count}回測定（最近24時間は${lastDay}回）`}</small>
    </Def>
  )
}

const LABELS: Readonly<Record<FigureName, MessageDescriptor>> = {
  INP: msg`押してから画面が変わるまで（いちばん遅いとき）`,
  LCP: msg`開いてから主な内容が出るまで`,
  CLS: msg`表示中の画面のずれ（0に近いほど良い）`,
  'app:first-rows': msg`開いてから依頼の一覧が見えるまで`,
  'app:operable': msg`開いてから操作できるまで`,
  'app:open-request': msg`依頼を押してから開くまで`,
  'app:search': msg`検索の条件を変えてから結果が出るまで`,
  'app:save': msg`保存を押してから端末に保存するまで`,
  'sync:initial': msg`開いてから最新のデータがそろうまで`,
  'sync:round': msg`最新のデータの確認`,
  'sync:replay': msg`電波が戻ってから送信が終わるまで`,
}

/** Texts for the scheduler's reasons to delay calls (`sync/scheduler/schedule.ts`). */
const REASONS: Readonly<Record<string, MessageDescriptor>> = {
  offline: msg`電波がありません`,
  session: msg`ログインが必要です`,
  'retry-after': msg`待つように応答がありました`,
  budget: msg`失敗が続いたので、間をおいています`,
  outage: msg`応答がないので、間をおいています`,
  trial: msg`応答があるか、一つだけ試しています`,
  'back-off': msg`失敗したので、間をおいています`,
  eased: msg`復旧したところなので、順に読み込んでいます`,
}

const APIS = { crm: msg`CRM`, files: msg`写真の保管先` } as const

const READ_AGAIN_MS = 5_000

/** Says why calls of the CRM or the file store are delayed, and until when. Renders nothing if no call is delayed. */
function Waits() {
  const { t, i18n } = useLingui()
  const today = useToday()
  const waits = useWaits()
  if (waits.length === 0) return null
  return (
    <ul>
      {waits.map(({ api, reason, until }) => {
        const [name, why] = [i18n._(APIS[api]), i18n._(REASONS[reason] ?? msg`間をおいています`)]
        const time = timeOn(until, today, today)
        return (
          <li key={api}>
            <Mark icon={Hourglass} tone="warn">
              {until === '' ? t`${name}：${why}` : t`${name}：${why}（${time}まで）`}
            </Mark>
          </li>
        )
      })}
    </ul>
  )
}

function useWaits() {
  const { waits: read } = useServices()
  const [waits, setWaits] = useState<Awaited<ReturnType<typeof read>>>([])
  useEffect(() => {
    let isWanted = true
    const readNow = () =>
      void read().then(
        (found) => isWanted && setWaits(found),
        () => undefined,
      )
    readNow()
    const timer = setInterval(readNow, READ_AGAIN_MS)
    return () => {
      isWanted = false
      clearInterval(timer)
    }
  }, [read])
  return waits
}
