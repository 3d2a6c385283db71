/** The list of visits as days: what matches the filter, in the order of day and time. */
import type { RequestFilter } from '#schemas/request-filter.ts'
import { matcherOf } from '#schemas/request-search.ts'
import type { ListedRequest } from '#data/request-rows.ts'
import type { VisitList } from '#data/visits.ts'

export interface Day {
  /** YYYY-MM-DD */
  date: string
  rows: ListedRequest[]
}

/** @param list in the order of the sort keys */
export function daysOf({ rows, fold }: Pick<VisitList, 'rows' | 'fold'>, filter: RequestFilter): Day[] {
  const matches = matcherOf(filter, fold)
  const days: Day[] = []
  for (const row of rows) {
    if (!matches(row)) continue
    const { workingDate } = row
    let day = days.at(-1)
    if (day?.date !== workingDate) days.push((day = { date: workingDate, rows: [] }))
    day.rows.push(row)
  }
  return days
}

export const countOf = (days: readonly Day[]) => days.reduce((sum, { rows }) => sum + rows.length, 0)
