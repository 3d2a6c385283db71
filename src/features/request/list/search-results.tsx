import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { lazyCode } from '#ui/base/lazy-code.ts'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import type { Day } from '#features/request/search/days.ts'
import type { VisitList } from '#data/visits/visits.ts'
import type { FilterChoice } from '#features/request/search/filter.ts'
import { LazyNothingFound } from './lazy-popups.ts'
import type { VisitDaysProps } from './visit-days.tsx'

const VisitDays = lazyCode(async () => (await import('./visit-days.tsx')).VisitDays)

/** After this many ms without a further request or report, the first load counts as complete. */
const SETTLED_MS = 600

interface SearchResultsProps extends Omit<VisitDaysProps, 'days' | 'list'> {
  choice: FilterChoice
  /** True if the conditions are the defaults, so that none can be dropped. */
  isUsual: boolean
  /** Undefined while the device is being read. */
  days: readonly Day[] | undefined
  list: VisitList | undefined
  /** True if the device has no visits at all; after a first login they are still loading. */
  nothingYet: boolean
  onSearch: (choice: FilterChoice) => void
  /** Shown above the rows and only with them, because it would push the skeleton down. */
  head?: ReactNode
}

/** The days, a skeleton, or the empty state. */
export function SearchResults(props: SearchResultsProps) {
  const { days, list, nothingYet, isUsual, choice, onSearch, head, ...shown } = props
  const loading = useFirstLoad(list, days, nothingYet, shown.filter.to)
  // Loads the code of `VisitDays` while the database opens: the list needs both.
  useEffect(() => void VisitDays.ahead().catch(() => undefined), [])
  if (!days || !list || loading) return <ListSkeleton />
  return (
    <Suspense fallback={<ListSkeleton />}>
      {days.length > 0 ? (
        <>
          {head}
          <VisitDays {...shown} days={days} list={list} />
        </>
      ) : (
        <LazyNothingFound
          choice={choice}
          today={shown.today}
          isUsual={isUsual}
          list={list}
          onSearch={onSearch}
        />
      )}
    </Suspense>
  )
}

/**
 * Hides the list during the first load after a login. Requests arrive page by page in the order of days (crm-contract
 * 4), with their reports. The list appears once a row of a later day exists, or once nothing has changed for
 * SETTLED_MS, so that no row moves under a finger. If the device stays empty, `LazyNothingFound` explains it.
 * @param to last searched day; '' for no limit
 */
function useFirstLoad(
  list: VisitList | undefined,
  days: readonly Day[] | undefined,
  nothingYet: boolean,
  to: string,
): boolean {
  const [state, setState] = useState<'reading' | 'empty' | 'filled' | 'done'>('reading')
  if (list && state === 'reading') setState(nothingYet ? 'empty' : 'done')
  if (!nothingYet && state === 'empty') setState('filled')
  const isPast = to !== '' && (list?.rows.at(-1)?.workingDate ?? '') > to
  if (state === 'filled' && isPast) setState('done')
  // Rows of other days do not move the shown ones. Without shown rows, any arriving row may be
  // followed by the first of them.
  const rows = days?.length ? days.flatMap((day) => day.rows) : list?.rows
  // The list also updates when a single request is read. Only these changes move rows.
  const changeCount = rows && rows.length + rows.filter((row) => list?.stateOf(row) !== 'none').length
  useEffect(() => {
    if (state !== 'filled') return undefined
    const timer = setTimeout(() => setState('done'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [state, changeCount])
  return state === 'filled'
}
