/**
 * Reads the days of 依頼検索 from the device's database:
 *
 *     read the chosen days, by an index ─→ painted ─→ read all requests of the device, for later searches
 *
 * The first paint therefore depends on the number of shown requests, not on all requests of the device.
 */
import { useEffect, useMemo, useState } from 'react'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { useNamedQuery } from '#data/context/app-context.tsx'
import { visitListQuery, visitsOfDaysQuery } from '#data/visits/first-queries.ts'
import type { DayRange } from '#data/visits/request-rows.ts'
import { searchedDays } from './filter.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { afterPaint } from '#lib/time/user-timing.ts'
import { daysOf, type Day } from './days.ts'
import { freshDays } from './fresh-days.ts'

interface Wanted {
  filter: RequestFilter
  /** Yesterday's date if yesterday's unfinished visits are also shown (`carriedInto`); otherwise null. */
  carried: string | null
  /**
   * The device's own clock in epoch ms. The times at which the CRM last confirmed the rows are stored by the same
   * clock.
   */
  wall: number
}

interface Found {
  list: VisitList | undefined
  /** Undefined until the database is read. */
  days: Day[] | undefined
}

/** Returns the days with results, and the list of visits that they come from. */
export function useDays({ filter, carried, wall }: Wanted): Found {
  const { from, to } = filter
  const range = useMemo(() => searchedDays({ from, to }, carried), [from, to, carried])
  const list = useList(range)
  const days = useMemo(() => {
    if (!list) return undefined
    const before = carried === null ? null : { date: carried, stateOf: list.stateOf }
    return freshDays(daysOf(list, filter, before), list.hasUnsent, wall)
  }, [list, filter, carried, wall])
  // Without rows, the result is undefined until all requests of the device are read.
  return list?.isWhole || days?.length ? { list, days } : { list: undefined, days: undefined }
}

/**
 * Returns the visits of the searched days, and after the first paint all visits of the device.
 * @param range null to search all days
 */
function useList(range: DayRange | null): VisitList | undefined {
  const [isPainted, setPainted] = useState(false)
  const allVisits = useNamedQuery(range === null || isPainted ? visitListQuery : null)
  const visitsOfDays = useNamedQuery(range === null || allVisits ? null : visitsOfDaysQuery(range))
  const isRead = visitsOfDays !== undefined
  useEffect(() => (isRead ? afterPaint(() => setPainted(true)) : undefined), [isRead])
  return allVisits ?? visitsOfDays
}
