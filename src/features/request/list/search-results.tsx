import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import type { Day } from '#features/request/search/days.ts'
import type { VisitList } from '#data/visits/visits.ts'
import type { useSearch } from '#features/request/search/use-search.ts'
import { LazyNothingFound } from './lazy-popups.ts'
import { VisitDays, type VisitDaysProps } from './visit-days.tsx'

/** Time in ms without a new request or report after which the first load counts as complete. */
const SETTLED_MS = 600

type Search = ReturnType<typeof useSearch>

interface SearchResultsProps
  extends
    Pick<Search, 'choice' | 'filter' | 'isUsual' | 'days' | 'list' | 'nothingYet' | 'today' | 'search'>,
    Pick<VisitDaysProps, 'currentKey' | 'picking'> {
  /** Shown above the rows. Hidden while the skeleton is shown, because it would push the skeleton down. */
  head?: ReactNode
}

/** The days with results; a skeleton while they load; the empty state without results. */
export function SearchResults(props: SearchResultsProps) {
  const { days, list, nothingYet, isUsual, choice, search, head, filter, today, currentKey, picking } = props
  const loading = useFirstLoad(list, days, nothingYet, filter.to)
  if (!days || !list || loading) return <ListSkeleton />
  return (
    <Suspense fallback={<ListSkeleton />}>
      {days.length > 0 ? (
        <>
          {head}
          <VisitDays {...{ days, list, filter, today, currentKey, picking }} />
        </>
      ) : (
        <LazyNothingFound {...{ choice, today, isUsual, list }} onSearch={search} />
      )}
    </Suspense>
  )
}

/**
 * True while the list is hidden, during the first load after a login. Requests arrive page by page in the order of days
 * (crm-contract 4), with their reports. The list appears once a row of a later day is on the device or nothing has
 * changed for SETTLED_MS, so that no row moves under the user's finger.
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
  // Changes to the result's rows restart the timer below. Without results, changes to all rows on the device count,
  // because a result may still arrive.
  const rows = days?.length ? days.flatMap((day) => day.rows) : list?.rows
  // Other updates of the list move no rows, for example after the app reads a single request.
  const changeCount = rows && rows.length + rows.filter((row) => list?.stateOf(row) !== 'none').length
  useEffect(() => {
    if (state !== 'filled') return undefined
    const timer = setTimeout(() => setState('done'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [state, changeCount])
  return state === 'filled'
}
