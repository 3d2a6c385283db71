import { lazy, Suspense, useEffect, useState } from 'react'
import { useOnline } from '#data/app-context.tsx'
import { ListSkeleton } from '#ui/skeleton.tsx'
import type { Day } from './days.ts'
import type { VisitList } from '#data/visits.ts'
import type { FilterChoice } from './filter.ts'
import type { VisitDaysProps } from './visit-days.tsx'

// beside the first paint, as the database is: without it there is nothing to draw
const visitDays = import('./visit-days.tsx')
const nothingFound = import('./nothing-found.tsx')
const VisitDays = lazy(async () => ({ default: (await visitDays).VisitDays }))
const NothingFound = lazy(async () => ({ default: (await nothingFound).NothingFound }))

/** How long an empty device is believed to be still loading. */
const FIRST_LOAD_MS = 5_000

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
}

/** The days, or a skeleton, or that there is nothing. */
export function SearchResults(props: SearchResultsProps) {
  const { days, list, nothingYet, isUsual, choice, onSearch, ...shown } = props
  const loading = useFirstLoad(nothingYet)
  if (!days || !list || loading) return <ListSkeleton />
  return (
    <Suspense fallback={<ListSkeleton />}>
      {days.length > 0 ? (
        <VisitDays {...shown} days={days} list={list} />
      ) : (
        <NothingFound choice={choice} today={shown.today} isUsual={isUsual} list={list} onSearch={onSearch} />
      )}
    </Suspense>
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
