/** The list of visits as days: what matches the filter, in the order of day and time. */
import type { RequestFilter } from '#schemas/request-filter.ts'
import { matchesFilter } from '#schemas/request-search.ts'
import type { Visit } from '#data/visits.ts'

export interface Day {
  /** YYYY-MM-DD */
  date: string
  visits: Visit[]
  /** How many of them one has left. */
  done: number
}

/** @param visits in the order of their sort keys */
export function daysOf(visits: readonly Visit[], filter: RequestFilter): Day[] {
  const days: Day[] = []
  for (const visit of visits) {
    const { workingDate } = visit.request
    if (!matchesFilter(visit.request, filter)) continue
    let day = days.at(-1)
    if (day?.date !== workingDate) days.push((day = { date: workingDate, visits: [], done: 0 }))
    day.visits.push(visit)
    if (visit.state === 'out') day.done += 1
  }
  return days
}

export const countOf = (days: readonly Day[]) => days.reduce((sum, { visits }) => sum + visits.length, 0)
