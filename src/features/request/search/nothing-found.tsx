import { useLingui } from '@lingui/react/macro'
import { CloudAlert, RotateCw } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useMinute, useWallMinute } from '#data/context/use-now.ts'
import { useRefresh } from '#data/context/use-refresh.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { Button } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { freshAt } from './days.ts'
import {
  DEFAULT_CHOICE,
  filterOf,
  goesBeyondDevice,
  orderFlagNames,
  rangeText,
  type FilterChoice,
} from './filter.ts'
import { useConditionsText, useReach } from './use-search.ts'
import { emptiedBy, useUnread, type UnreadDays, type Without } from './why-empty.ts'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { useLater } from '#ui/feedback/long-wait.tsx'

interface NothingFoundProps {
  choice: FilterChoice
  today: string
  isUsual: boolean
  list: VisitList
  onSearch: (choice: FilterChoice) => void
}

/**
 * The empty state of a search: the conditions that exclude all results, or that the data was not read (sync RULES PL4).
 */
export function NothingFound(props: NothingFoundProps) {
  const { choice, today, isUsual, list, onSearch } = props
  const { t } = useLingui()
  const [now, wall] = [useMinute(), useWallMinute()]
  // Null if it is certain that there are no results.
  const unread = useUnread(props, { now, wall })
  const { retry, busy, hasFailed } = useRetry(props)
  const { hasUnsent, fold } = list
  const rows = useMemo(() => list.rows.filter(freshAt(wall, hasUnsent)), [list, hasUnsent, wall])
  const blamed = emptiedBy({ rows, fold }, choice, today)
  const buttons = (
    <>
      {blamed.map((each) => (
        <DropButton
          key={each.condition}
          choice={choice}
          without={each}
          onClick={() => onSearch(each.choice)}
        />
      ))}
      {!isUsual && <Button tall onClick={() => onSearch(DEFAULT_CHOICE)}>{t`条件をクリア`}</Button>}
    </>
  )
  if (!unread)
    return (
      <None {...props} blamed={blamed} held={rows.length}>
        {buttons}
      </None>
    )
  const state = hasFailed && unread.state === 'reading' ? 'failed' : unread.state
  return (
    <Unread {...unread} state={state} onRetry={retry} busy={busy}>
      {buttons}
    </Unread>
  )
}

/** The line above the device's results, shown if the CRM could not answer the search. */
export function ReachFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <Pad>
        <output>
          <Mark icon={CloudAlert}>{t`読み込めませんでした。端末にある依頼だけを表示しています。`}</Mark>
        </output>
      </Pad>
      <Pad>
        <Button icon={RotateCw} onClick={onRetry}>{t`再読み込み`}</Button>
      </Pad>
    </>
  )
}

/** Returns the action of the button 再読み込み, which repeats the CRM search or reads the device's days again. */
function useRetry({ choice, today, onSearch }: NothingFoundProps) {
  const { refresh, busy, failed } = useRefresh()
  const [isTried, setTried] = useState(false)
  return {
    busy: isTried && busy,
    hasFailed: isTried && failed,
    retry() {
      if (goesBeyondDevice(filterOf(choice, today), today)) return onSearch(choice)
      setTried(true)
      refresh()
    },
  }
}

interface NoneProps extends Pick<NothingFoundProps, 'choice' | 'today' | 'isUsual'> {
  blamed: readonly Without[]
  /** Number of requests on the device, without those that are hidden for their age (`freshAt`). */
  held: number
  children: ReactNode
}

/** Says that the search, or the device, has no results. */
function None(props: NoneProps) {
  const { t, i18n } = useLingui()
  const { choice, today, isUsual, children } = props
  const reach = useReach(filterOf(choice, today), today)
  const none = reach === 'device-only' ? t`端末には該当する依頼がありません` : messageText(i18n, 'ec00002')
  return (
    <Empty art="search" heading={isUsual ? t`今日の依頼はありません` : none} advice={useAdvice(props)}>
      {children}
    </Empty>
  )
}

function useAdvice({ choice, today, isUsual, blamed, held }: NoneProps): string | undefined {
  const { t } = useLingui()
  const texts = useConditionTexts(choice)
  const filter = filterOf(choice, today)
  const range = rangeText(filter, today) || t`すべての作業日`
  const all = [range, useConditionsText(filter)].join('　')
  const [first] = blamed
  if (first?.condition === 'days') return isUsual ? undefined : t`「作業日 ${range}」に合う依頼がありません。`
  if (first) {
    const condition = texts[first.condition]
    return t`「${condition}」に合う依頼がありません。`
  }
  return isUsual
    ? t`作業日の範囲を広げて検索してください。`
    : t`絞り込み条件（${all}）に合う依頼がありません。端末には依頼が${held}件あります。`
}

interface DropButtonProps {
  choice: FilterChoice
  without: Without
  onClick: () => void
}

function DropButton({ choice, without, onClick }: DropButtonProps) {
  const { t } = useLingui()
  const { found } = without
  const condition = useConditionTexts(choice)[without.condition]
  const days =
    without.choice.quick === 'week' ? t`今後7日間を見る（${found}件）` : t`すべての作業日を見る（${found}件）`
  return (
    <Button tall onClick={onClick}>
      {without.condition === 'days' ? days : t`「${condition}」を外す（${found}件）`}
    </Button>
  )
}

/** Returns the conditions as texts. The days are '', because their texts depend on where they are shown. */
function useConditionTexts(choice: FilterChoice): Record<Without['condition'], string> {
  const { t } = useLingui()
  const { requestCode, locationName, customerName } = choice
  const flags = orderFlagNames(choice)
  return {
    requestCode: t`依頼番号 ${requestCode}`,
    locationName: t`作業場所 ${locationName}`,
    customerName: t`契約先 ${customerName}`,
    orderFlags: t`種別 ${flags}`,
    emergencyOnly: t`緊出のみ`,
    days: '',
  }
}

/** Time in ms without an answer after which a text replaces the skeleton. */
const SLOW_MS = 5_000

interface UnreadProps extends UnreadDays {
  onRetry: () => void
  /** True while the CRM is being read or searched. */
  busy: boolean
  children: ReactNode
}

/** Replaces the list if the data was not read or is too old. It must not say that there are no results. */
function Unread({ state, isOld, onRetry, busy, children }: UnreadProps) {
  const { t } = useLingui()
  const isSlow = useLater(SLOW_MS)
  if (state === 'looking' || (state === 'reading' && !isSlow)) return <ListSkeleton />
  const texts = {
    reading: {
      art: 'device',
      heading: t`読み込み中`,
      advice: t`依頼がまだ届いていません。届くとここに表示します。`,
    },
    failed: {
      art: 'error',
      heading: t`読み込めませんでした`,
      advice: t`電波の届く場所で、もう一度お試しください。保存済の依頼はそのまま開けます。`,
      alert: true,
    },
    absent: {
      art: 'device',
      heading: t`端末に保存されていません`,
      advice: isOld
        ? t`最後に確認してから24時間が過ぎた依頼は表示しません。電波の届く場所で開くと、もう一度読み込みます。`
        : t`電波の届く場所で開くと、端末に保存されます。`,
    },
  } as const
  return (
    <Empty {...texts[state]}>
      {state !== 'absent' && (
        <Button variant="primary" icon={RotateCw} busy={busy} onClick={onRetry}>
          {t`再読み込み`}
        </Button>
      )}
      {children}
    </Empty>
  )
}
