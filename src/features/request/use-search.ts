/** 依頼検索 as a hook: what is chosen, what the device answers, and whether the CRM is asked for more. */
import { useMemo } from 'react'
import type { RequestFilter } from '#schemas/request-filter.ts'
import { useLiveQuery, useOnline, useServices, useUserData } from '#data/app-context.tsx'
import { searchInterestQuery, visitListQuery } from '#data/first-queries.ts'
import { useMinute } from '#data/use-now.ts'
import { tokyoToday } from '#lib/tokyo-time.ts'
import { daysOf } from './days.ts'
import { freshDays } from './fresh-days.ts'
import {
  carriedInto,
  DEFAULT_CHOICE,
  filterOf,
  goesBeyondDevice,
  sameFilter,
  type FilterChoice,
} from './filter.ts'
import { useFilterChoice } from './filter-store.ts'

/** none: the device has all there is; asking: the CRM is asked; device-only: there may be more. */
export type Reach = 'none' | 'asking' | 'device-only'

export function useSearch() {
  const now = useMinute()
  const today = tokyoToday(now)
  const { clock } = useServices()
  const data = useUserData()
  const [choice, setChoice] = useFilterChoice()
  const filter = useMemo(() => filterOf(choice, today), [choice, today])
  const list = useLiveQuery(visitListQuery.key, visitListQuery.query)
  const carried = carriedInto(choice, now)
  const days = useMemo(() => {
    if (!list) return undefined
    const before = carried === null ? null : { date: carried, stateOf: list.stateOf }
    return freshDays(daysOf(list, filter, before), list.hasUnsent, now)
  }, [list, filter, carried, now])
  const reach = useReach(filter, today)
  return {
    today,
    choice,
    filter,
    isUsual: sameFilter(filter, filterOf(DEFAULT_CHOICE, today)),
    /** The day whose unfinished visits are shown besides, null in the afternoon. */
    carried,
    /** The device holds no request at all. */
    nothingYet: list?.rows.length === 0,
    list,
    days,
    reach,
    /** Searches: the device answers at once, the CRM when it may know more. */
    search: (next: FilterChoice) => {
      setChoice(next)
      const wanted = filterOf(next, today)
      if (data && goesBeyondDevice(wanted, today))
        void import('#data/interests.ts').then(({ askSearch }) => askSearch(data.db, clock.now(), wanted))
    },
  }
}

function useReach(filter: RequestFilter, today: string): Reach {
  const online = useOnline()
  const asked = useLiveQuery(searchInterestQuery.key, searchInterestQuery.query)
  if (!goesBeyondDevice(filter, today)) return 'none'
  const own = asked?.filter && sameFilter(asked.filter, filter) ? asked : null
  if (own?.state === 'answered') return 'none'
  return online && own?.state === 'asked' ? 'asking' : 'device-only'
}
