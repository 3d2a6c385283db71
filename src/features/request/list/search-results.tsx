import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { lazyCode } from '#ui/layout/lazy-code.ts'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import type { Day } from '#features/request/search/days.ts'
import type { VisitList } from '#data/visits.ts'
import type { FilterChoice } from '#features/request/search/filter.ts'
import { NothingFound } from './lazy-popups.ts'
import type { VisitDaysProps } from './visit-days.tsx'

const VisitDays = lazyCode(async () => (await import('./visit-days.tsx')).VisitDays)

/** Without a further request or report for so long, they are there. */
const SETTLED_MS = 600

interface SearchResultsProps extends Omit<VisitDaysProps, 'days' | 'list'> {
  choice: FilterChoice
  /** The conditions are those that a fresh start has: there is none to drop. */
  isUsual: boolean
  /** undefined while the device is read */
  days: readonly Day[] | undefined
  list: VisitList | undefined
  /** The device holds no visit at all: after a first login they are on their way. */
  nothingYet: boolean
  onSearch: (choice: FilterChoice) => void
  /** Above the rows, and with them: it would push a skeleton away. */
  head?: ReactNode
}

/** The days, or a skeleton, or that there is nothing. */
export function SearchResults(props: SearchResultsProps) {
  const { days, list, nothingYet, isUsual, choice, onSearch, head, ...shown } = props
  const loading = useFirstLoad(list, days, nothingYet, shown.filter.to)
  // beside the database: without it there is nothing to draw
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
        <NothingFound choice={choice} today={shown.today} isUsual={isUsual} list={list} onSearch={onSearch} />
      )}
    </Suspense>
  )
}

/**
 * After a first login the requests come page by page in the order of the days (crm-contract 4), with what their reports
 * are: the days that were asked for are shown once there is a row of a later day, or they stand still, so that no row moves
 * under a finger. Of a device that stays empty `NothingFound` says what is known.
 * @param to the last day that was asked for, '' for no limit
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
  // rows of other days move none of these; without any, each one that comes may be followed by the first of these
  const rows = days?.length ? days.flatMap((day) => day.rows) : list?.rows
  // the list tells of what was read of single requests as well: only these move rows
  const drawn = rows && rows.length + rows.filter((row) => list?.stateOf(row) !== 'none').length
  useEffect(() => {
    if (state !== 'filled') return undefined
    const timer = setTimeout(() => setState('done'), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [state, drawn])
  return state === 'filled'
}
