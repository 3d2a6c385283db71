import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import type { Day } from '#features/request/search/days.ts'
import type { VisitList } from '#data/visits/visits.ts'
import type { useSearch } from '#features/request/search/use-search.ts'
import { LazyNothingFound } from './lazy-popups.ts'
import { VisitDays, type VisitDaysProps } from './visit-days.tsx'

/** After this many ms without a new request or report, the first load counts as complete. */
const SETTLED_MS = 600

type Search = ReturnType<typeof useSearch>

interface SearchResultsProps
  extends
    Pick<Search, 'choice' | 'filter' | 'isUsual' | 'days' | 'list' | 'nothingYet' | 'today' | 'search'>,
    Pick<VisitDaysProps, 'currentKey' | 'picking'> {
  /** Shown above the rows. It is not shown above the skeleton, which it would push down. */
  head?: ReactNode
}

/** The days with results, or a skeleton, or the empty state. */
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
 * True while the list is hidden, during the first load after a login. Requests arrive page by page, in the order of days
 * (crm-contract 4), with their reports. The list appears once a row of a later day is on the device, or once nothing has
 * changed for SETTLED_MS, so that no row moves under a finger.
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
  // The timer below starts again when one of these rows appears or changes its state. If the search has results, only
  // their rows count. If it has none yet, every row on the device counts, because a result may still arrive.
  const rows = days?.length ? days.flatMap((day) => day.rows) : list?.rows
  // Other updates of the list, for example after a single request was read, move no rows.
  const changeCount = rows && rows.length + rows.filter((row) => list?.stateOf(row) !== 'none').length
  useEffect(() => {
    if (state !== 'filled') return undefined
    const timer = setTimeout(() => setState('done'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [state, changeCount])
  return state === 'filled'
}
