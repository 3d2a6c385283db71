import { useLingui } from '@lingui/react/macro'
import { useMatch } from '@tanstack/react-router'
import { Suspense, useLayoutEffect, useMemo, useRef } from 'react'
import { useServices, useValue } from '#data/context/app-context.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { usePane } from '#ui/layout/screen.tsx'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import { LazyPickList, LazyFilterSheet, LazyReachFailed, usePopupsAhead } from './lazy-popups.ts'
import {
  ChevronDown,
  CloudOff,
  HardDriveDownload,
  ListChecks,
  RefreshCw,
  ScanQrCode,
  Search,
} from 'lucide-react'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { measurePaint } from '#lib/time/user-timing.ts'
import { SUB } from '#ui/controls/filter-bar.tsx'
import bars from '#ui/controls/filter-bar.module.css'
import { cx, Icon } from '#ui/base/icon.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { BoardWrap } from '#ui/request/request-board.tsx'
import segStyles from '#ui/request/seg.module.css'
import { useOpenPopup, usePopup } from '#ui/popup/use-popup.ts'
import { countOf, type Day } from '#features/request/search/days.ts'
import type { VisitList } from '#data/visits/visits.ts'
import {
  choiceOf,
  DEFAULT_CHOICE,
  filterOf,
  quickOf,
  rangeText,
  typedFilter,
  type QuickRange,
} from '#features/request/search/filter.ts'
import { SearchResults } from './search-results.tsx'
import { useConditionsText, useSearch, useSearchAfterTimeout } from '#features/request/search/use-search.ts'
import { useStartSelecting } from './use-select-mode.ts'

/** The screen 依頼検索. In the wide layout a separate pane has the list, and this screen says that no request is chosen. */
export function RequestSearchScreen({ select }: { select: boolean }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  if (usePane() !== 'view') return <SearchOrPick select={select} currentKey={undefined} />
  return (
    <Frame title={t`依頼検索`} center>
      <Empty
        art="search"
        heading={t`依頼を選んでください`}
        advice={t`左の一覧から選ぶと、ここに表示されます。`}
      />
    </Frame>
  )
}

/**
 * 依頼検索 in the left pane of the wide layout.
 * @param currentKey `<requestId>_<workingDate>` of the visit in the view pane, or `<requestId>_` if its URL names no day
 */
export function RequestListPane({ currentKey }: { currentKey?: string }) {
  const select = useMatch({
    from: '/_app/request/',
    shouldThrow: false,
    select: ({ search }) => search.select === true,
  })
  return <SearchOrPick select={select === true} currentKey={currentKey} />
}

function SearchOrPick({ select, currentKey }: { select: boolean; currentKey: string | undefined }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  if (!select) return <SearchList currentKey={currentKey} />
  const waiting = (
    <Frame title={t`依頼検索`}>
      <ListSkeleton />
    </Frame>
  )
  return (
    <Suspense fallback={waiting}>
      <LazyPickList />
    </Suspense>
  )
}

/** 依頼検索: the quick ranges, the other conditions in one line, and the visits by day. */
function SearchList({ currentKey }: { currentKey: string | undefined }) {
  const { t } = useLingui()
  const { Frame } = useServices()
  const startSelecting = useStartSelecting()
  const found = useSearch()
  const { choice, filter, days, list, nothingYet, reach, search } = found
  usePopupsAhead(days !== undefined && !nothingYet)
  useSearchTime(filter)
  useSearchAfterTimeout(() => search(choice))
  return (
    <Frame title={t`依頼検索`} tabs board={<QuickRanges choice={choice} search={search} />}>
      <Conditions {...found} />
      {/* Without rows, the empty state reports the failure. */}
      {!(reach === 'failed' && days?.length === 0) && (
        <ReachLine reach={reach} onRetry={() => search(choice)} />
      )}
      <SearchResults
        {...found}
        currentKey={currentKey}
        picking={null}
        head={
          days &&
          list && (
            <div className={bars.list}>
              <Readiness days={days} list={list} />
              <button type="button" className={SUB} onClick={startSelecting}>
                <Icon as={ListChecks} />
                {t`まとめて登録`}
              </button>
            </div>
          )
        }
      />
    </Frame>
  )
}

type Found = ReturnType<typeof useSearch>

/** The row of buttons for quick date ranges. */
function QuickRanges({ choice, search }: Pick<Found, 'choice' | 'search'>) {
  const { t } = useLingui()
  const labels: Record<QuickRange, string> = {
    yesterday: t`昨日`,
    today: t`今日`,
    tomorrow: t`明日`,
    week: t`今後7日間`,
  }
  return (
    <BoardWrap search>
      <fieldset className={segStyles.seg} aria-label={t`期間`}>
        {(Object.keys(labels) as QuickRange[]).map((quick) => (
          <button
            key={quick}
            type="button"
            aria-pressed={quick === quickOf(choice)}
            // A quick range clears the 依頼番号, because a 依頼番号 is searched on all days.
            onClick={() => search({ ...choice, quick, requestCode: '' })}
          >
            {labels[quick]}
          </button>
        ))}
      </fieldset>
    </BoardWrap>
  )
}

type ConditionsProps = Pick<Found, 'today' | 'filter' | 'carried' | 'days' | 'choice' | 'search'>

/** A code with its label, such as 依頼番号 R26-112001. Lines must not break inside it. */
const CODE = /((?:[^\s\d（）、]{1,6} )?[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){1,2})/

const unbroken = (text: string) =>
  text.split(CODE).map((part, i) => (
    <span key={i} className={i % 2 === 1 ? 'nb' : undefined}>
      {part}
    </span>
  ))

/** The line with the searched days, the number of visits and the other conditions. It opens the sheet 検索条件. */
function Conditions({ today, filter, carried, days, choice, search }: ConditionsProps) {
  const { t } = useLingui()
  const popup = usePopup('filter')
  const scan = useOpenPopup('scan')
  const conditions = useConditionsText(filter)
  const count = countOf(days ?? [])
  const fromYesterday = days?.find(({ date }) => date === carried)?.rows.length ?? 0
  const countText = fromYesterday > 0 ? t`${count}件（昨日から${fromYesterday}件）` : t`${count}件`
  return (
    <>
      <div className={bars.search}>
        <button
          type="button"
          className={cx(bars.bar, 'ring-in')}
          aria-expanded={popup.isOpen}
          aria-haspopup="dialog"
          onClick={popup.open}
        >
          <Icon as={Search} />
          <span className={bars.text}>
            <b className="num">{rangeText(filter, today) || t`すべての作業日`}</b>
            <span>{unbroken(count > 0 ? `${countText}　${conditions}` : conditions)}</span>
          </span>
          <span className={bars.go}>
            {t`変更`}
            <Icon as={ChevronDown} />
          </span>
        </button>
        <button type="button" className={cx(bars.scan, 'ring-in')} aria-haspopup="dialog" onClick={scan}>
          <Icon as={ScanQrCode} />
          {t`読み取り`}
        </button>
      </div>
      <Suspense>
        {popup.isOpen && (
          <LazyFilterSheet
            filter={typedFilter(choice, today)}
            usual={filterOf(DEFAULT_CHOICE, today)}
            onSearch={(wanted) => {
              search(choiceOf(wanted, today))
              popup.close()
            }}
            onClear={() => search(DEFAULT_CHOICE)}
            onClose={popup.close}
          />
        )}
      </Suspense>
    </>
  )
}

/** Says if the app and all rows can be used offline (sync RULES PL4). Rows that cannot are marked. */
function Readiness({ days, list }: { days: readonly Day[]; list: VisitList }) {
  const { t } = useLingui()
  const isAppStored = useValue(useServices().appKept)
  const missing = useMemo(
    () => days.reduce((sum, { rows }) => sum + rows.filter((row) => !list.isUsable(row)).length, 0),
    [days, list],
  )
  if (missing === 0 && !isAppStored) return <Mark icon={CloudOff}>{t`まだオフラインで使えません`}</Mark>
  if (missing === 0) return <Mark icon={HardDriveDownload}>{t`オフラインで使えます`}</Mark>
  return <Mark icon={CloudOff}>{t`${missing}件はまだオフラインで使えません`}</Mark>
}

/** Measures the time from a change of the conditions to the next paint. */
function useSearchTime(filter: RequestFilter) {
  const shown = useRef(filter)
  useLayoutEffect(() => {
    if (shown.current === filter) return undefined
    shown.current = filter
    return measurePaint('app:search')
  }, [filter])
}

/** Says that the CRM is being searched, or that only requests on the device are shown. */
function ReachLine({ reach, onRetry }: Pick<Found, 'reach'> & { onRetry: () => void }) {
  const { t } = useLingui()
  return (
    <>
      <output>
        {reach === 'asking' && (
          <Pad>
            <Mark icon={RefreshCw}>{t`新しい依頼が届いたか確認しています`}</Mark>
          </Pad>
        )}
        {reach === 'device-only' && (
          <Pad>
            <Mark icon={CloudOff}>{t`端末にある依頼だけを表示しています。`}</Mark>
          </Pad>
        )}
      </output>
      <Suspense>{reach === 'failed' && <LazyReachFailed onRetry={onRetry} />}</Suspense>
    </>
  )
}
