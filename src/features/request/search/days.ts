/** Finds the visits that match a filter. Days and visits are sorted by time. */
import type { RequestFilter } from '#schemas/device/interest.ts'
import { asksForDaysOnly, matcherOf } from '#schemas/resources/request-search.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'

export interface Day {
  /** YYYY-MM-DD */
  date: string
  rows: ListedRequest[]
}

/** The day before the searched days. Only its unfinished visits are shown. */
interface Carried extends Pick<VisitList, 'stateOf'> {
  date: string
}

/** Returns the days with results. `rows` is sorted by day and time, so only the rows of the searched days are read. */
export function daysOf(
  { rows, fold }: Pick<VisitList, 'rows' | 'fold'>,
  filter: RequestFilter,
  carried: Carried | null = null,
): Day[] {
  const matching = (candidates: readonly ListedRequest[], wanted: RequestFilter) =>
    asksForDaysOnly(wanted) ? candidates : candidates.filter(matcherOf(wanted, fold))
  const unfinished = carried
    ? between(rows, carried.date, carried.date).filter((row) => carried.stateOf(row) !== 'out')
    : []
  // Yesterday's visits lie outside the searched days, so the filter's days are ignored for them.
  const carriedOver = matching(unfinished, { ...filter, from: '', to: '' })
  const found = [...carriedOver, ...matching(between(rows, filter.from, filter.to), filter)]
  const days: Day[] = []
  for (let rest = found, day = rest[0]; day; day = rest[0]) {
    const date = day.workingDate
    const next = firstWhere(rest, ({ workingDate }) => workingDate > date)
    days.push({ date, rows: rest.slice(0, next) })
    rest = rest.slice(next)
  }
  return days
}

/** Returns the rows between two days, inclusive: `YYYY-MM-DD`, or '' for no limit. */
function between(rows: readonly ListedRequest[], from: string, to: string): readonly ListedRequest[] {
  const first = from === '' ? 0 : firstWhere(rows, ({ workingDate }) => workingDate >= from)
  const end = to === '' ? rows.length : firstWhere(rows, ({ workingDate }) => workingDate > to)
  return rows.slice(first, end)
}

/**
 * Returns the index of the first row for which `isReached` is true; the length if there is none. Binary search:
 * `isReached` must stay true for all later rows.
 */
function firstWhere(rows: readonly ListedRequest[], isReached: (row: ListedRequest) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && isReached(row)) high = middle
    else low = middle + 1
  }
  return low
}

export const countOf = (days: readonly Day[]) => days.reduce((sum, { rows }) => sum + rows.length, 0)
