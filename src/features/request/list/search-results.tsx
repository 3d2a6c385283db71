import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { ListSkeleton } from '#ui/request/skeleton.tsx'
import type { useSearch } from '#features/request/search/use-search.ts'
import { LazyNothingFound } from './lazy-popups.ts'
import { VisitDays, type VisitDaysProps } from './visit-days.tsx'

/** Time in ms without a new request or report after which the first load is done. */
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
  const { days, list, isUsual, choice, search, head, filter, today, currentKey, picking } = props
  const isFilling = useIsFilling(props)
  if (!days || !list || isFilling) return <ListSkeleton />
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
 * State of the first load after a login. `unread`: the device is not read yet. `empty`: the device has no request.
 * `filling`: requests arrive from the CRM. `done`: no row is expected to move.
 */
type FirstLoad = 'unread' | 'empty' | 'filling' | 'done'

/**
 * True while the first load fills the list, which is then hidden, so that no row moves under the user's finger.
 * Requests arrive in the order of days (crm-contract 4). The load is done once a row of a later day is on the device,
 * or once nothing has changed for SETTLED_MS.
 */
function useIsFilling({ list, days, nothingYet, filter: { to } }: SearchResultsProps): boolean {
  const [state, setState] = useState<FirstLoad>('unread')
  if (list && state === 'unread') setState(nothingYet ? 'empty' : 'done')
  if (!nothingYet && state === 'empty') setState('filling')
  const lastDay = list?.rows.at(-1)?.workingDate ?? ''
  if (state === 'filling' && to !== '' && lastDay > to) setState('done')
  const isFilling = state === 'filling'
  const changeCount = useMemo(() => {
    const rows = days?.length ? days.flatMap((day) => day.rows) : list?.rows
    // A new number restarts the timer. Other changes of the list move no rows.
    return isFilling && rows && rows.length + rows.filter((row) => list?.stateOf(row) !== 'none').length
  }, [isFilling, days, list])
  useEffect(() => {
    if (!isFilling) return undefined
    const timer = setTimeout(() => setState('done'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [isFilling, changeCount])
  return isFilling
}
