import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { useOnline } from '#data/app-context.tsx'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { ListSkeleton } from '#ui/skeleton.tsx'
import type { Day } from './days.ts'
import type { VisitList } from '#data/visits.ts'
import { rangeText } from './filter.ts'
import { useConditionsText } from './use-conditions-text.ts'
import type { VisitDaysProps } from './visit-days.tsx'

// beside the first paint, as the database is: without it there is nothing to draw
const visitDays = import('./visit-days.tsx')
const VisitDays = lazy(async () => ({ default: (await visitDays).VisitDays }))

/** How long an empty device is believed to be still loading. */
const FIRST_LOAD_MS = 5_000

interface SearchResultsProps extends Omit<VisitDaysProps, 'days' | 'list'> {
  /** The conditions are those that a fresh start has: there is none to drop. */
  isUsual: boolean
  /** undefined while the device is read */
  days: readonly Day[] | undefined
  list: VisitList | undefined
  /** The device holds no visit at all: after a first login they are on their way. */
  nothingYet: boolean
  onClear: () => void
}

/** The days, or a skeleton, or that there is nothing. */
export function SearchResults({ days, list, nothingYet, isUsual, onClear, ...shown }: SearchResultsProps) {
  const loading = useFirstLoad(nothingYet)
  if (!days || !list || loading) return <ListSkeleton />
  if (days.length > 0)
    return (
      <Suspense fallback={<ListSkeleton />}>
        <VisitDays {...shown} days={days} list={list} />
      </Suspense>
    )
  const { filter, today } = shown
  return <Nothing filter={filter} today={today} isUsual={isUsual} held={list.rows.length} onClear={onClear} />
}

interface NothingProps extends Pick<SearchResultsProps, 'filter' | 'today' | 'isUsual' | 'onClear'> {
  /** How many requests the device holds. */
  held: number
}

/** Nothing found. A search kept from before may be why: it says so, and is one tap away from gone. */
function Nothing({ filter, today, isUsual, held, onClear }: NothingProps) {
  const { t, i18n } = useLingui()
  const conditions = [rangeText(filter, today) || t`すべての作業日`, useConditionsText(filter)].join('　')
  return (
    <Empty
      art="search"
      heading={messageText(i18n, 'ec00002')}
      advice={
        isUsual
          ? t`作業日の範囲を広げて検索してください。`
          : t`絞り込み条件（${conditions}）に合う依頼がありません。端末には依頼が${held}件あります。`
      }
    >
      {!isUsual && <Button tall onClick={onClear}>{t`条件をクリア`}</Button>}
    </Empty>
  )
}

function useFirstLoad(nothingYet: boolean): boolean {
  const online = useOnline()
  const [waited, setWaited] = useState(false)
  useEffect(() => {
    if (!nothingYet) return undefined
    const timer = setTimeout(() => setWaited(true), FIRST_LOAD_MS)
    return () => clearTimeout(timer)
  }, [nothingYet])
  return nothingYet && online && !waited
}
