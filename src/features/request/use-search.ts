/** 依頼検索 as a hook: what is chosen, what the device answers, and whether the CRM is asked for more. */
import { useMemo } from 'react'
import type { RequestFilter } from '#schemas/request-filter.ts'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/app-context.tsx'
import { askSearch, interest$, SEARCH_INTEREST } from '#data/interests.ts'
import { useToday } from '#data/use-now.ts'
import { useVisitList } from '#data/use-visits.ts'
import { daysOf } from './days.ts'
import { filterOf, goesBeyondDevice, sameFilter, type FilterChoice } from './filter.ts'
import { useFilterChoice } from './filter-store.ts'

/** none: the device has all there is; asking: the CRM is asked; device-only: there may be more. */
export type Reach = 'none' | 'asking' | 'device-only'

export function useSearch() {
  const today = useToday()
  const { clock } = useServices()
  const data = useUserData()
  const [choice, setChoice] = useFilterChoice()
  const filter = useMemo(() => filterOf(choice, today), [choice, today])
  const list = useVisitList()
  const days = useMemo(() => list && daysOf(list, filter), [list, filter])
  const reach = useReach(filter, today)
  return {
    today,
    choice,
    filter,
    /** The device holds no request at all. */
    nothingYet: list?.rows.length === 0,
    list,
    days,
    reach,
    /** Searches: the device answers at once, the CRM when it may know more. */
    search: (next: FilterChoice) => {
      setChoice(next)
      const wanted = filterOf(next, today)
      if (data && goesBeyondDevice(wanted, today)) void askSearch(data.db, clock.now(), wanted)
    },
  }
}

function useReach(filter: RequestFilter, today: string): Reach {
  const online = useOnline()
  const asked = useLiveQuery(`interest ${SEARCH_INTEREST}`, (db) => interest$(db, SEARCH_INTEREST))
  if (!goesBeyondDevice(filter, today)) return 'none'
  const own = asked?.filter && sameFilter(asked.filter, filter) ? asked : null
  if (own?.state === 'answered') return 'none'
  return online && own?.state === 'asked' ? 'asking' : 'device-only'
}
