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
  // the sort keys begin with the day: what is before the first day asked for is not looked at, nor what is after the last
  for (let at = filter.from === '' ? 0 : firstOf(rows, filter.from); at < rows.length; at++) {
    const row = rows[at]
    if (!row || (filter.to !== '' && row.workingDate > filter.to)) break
    if (!matches(row)) continue
    const { workingDate } = row
    let day = days.at(-1)
    if (day?.date !== workingDate) days.push((day = { date: workingDate, rows: [] }))
    day.rows.push(row)
  }
  return days
}

/** Where the rows of this day, or of later ones, begin. */
function firstOf(rows: VisitList['rows'], day: string): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.workingDate ?? '') < day) low = middle + 1
    else high = middle
  }
  return low
}

export const countOf = (days: readonly Day[]) => days.reduce((sum, { rows }) => sum + rows.length, 0)
