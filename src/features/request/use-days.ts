/** The days of 依頼検索 out of what there is of the list: the database's, or what was kept of it (decision 0105). */
import { useEffect, useMemo } from 'react'
import type { RequestFilter } from '#schemas/request-filter.ts'
import { useLiveQuery, useServices, useValue } from '#data/app-context.tsx'
import { visitListQuery } from '#data/first-queries.ts'
import type { VisitList } from '#data/visits.ts'
import { daysOf, type Day } from './days.ts'
import { freshDays } from './fresh-days.ts'

interface Wanted {
  filter: RequestFilter
  /** It is what a fresh start asks for: of it alone was kept. */
  isUsual: boolean
  today: string
  carried: string | null
  /** By the device's own clock, which has stamped when the rows were confirmed: epoch ms. */
  wall: number
}

interface Found {
  list: VisitList | undefined
  /** Undefined while the device is read. */
  days: Day[] | undefined
}

export function useDays(wanted: Wanted): Found {
  const { filter, carried, wall } = wanted
  const live = useLiveQuery(visitListQuery.key, visitListQuery.query)
  const list = useKeptList(live, wanted) ?? live
  const days = useMemo(() => {
    if (!list) return undefined
    const before = carried === null ? null : { date: carried, stateOf: list.stateOf }
    return freshDays(daysOf(list, filter, before), list.hasUnsent, wall)
  }, [list, filter, carried, wall])
  return { list, days }
}

/** What was kept, until the database is read, and for as long as that tells the same: nothing is drawn twice. */
function useKeptList(
  live: VisitList | undefined,
  { isUsual, today, carried, wall }: Wanted,
): VisitList | null {
  const { firstList } = useServices()
  const kept = useValue(firstList)
  const isBehind = useMemo(() => live !== undefined && kept !== null && !kept.isAs(live), [kept, live])
  useEffect(() => {
    if (isBehind) firstList.drop()
  }, [firstList, isBehind])
  if (!kept || isBehind || !isUsual || kept.today !== today || kept.carried !== carried) return null
  // where nothing of it is fresh, only the database knows what else there is
  const isAnyFresh =
    freshDays([{ date: today, rows: [...kept.list.rows] }], kept.list.hasUnsent, wall).length > 0
  return isAnyFresh ? kept.list : null
}
