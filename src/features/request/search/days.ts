/** The list of visits as days: what matches the filter, in the order of day and time. */
import type { RequestFilter } from '#schemas/request-filter.ts'
import { asksForDaysOnly, matcherOf } from '#schemas/request-search.ts'
import type { ListedRequest } from '#data/request-row.ts'
import type { VisitList } from '#data/visits.ts'

export interface Day {
  /** YYYY-MM-DD */
  date: string
  rows: ListedRequest[]
}

/** A day before those asked for, of which only what nobody has left is shown. */
interface Carried extends Pick<VisitList, 'stateOf'> {
  date: string
}

/** @param list in the order of the sort keys, which begin with the day: only the days asked for are looked at */
export function daysOf(
  { rows, fold }: Pick<VisitList, 'rows' | 'fold'>,
  filter: RequestFilter,
  carried: Carried | null = null,
): Day[] {
  const met = (asked: readonly ListedRequest[], wanted: RequestFilter) =>
    asksForDaysOnly(wanted) ? asked : asked.filter(matcherOf(wanted, fold))
  const unfinished = carried
    ? between(rows, carried.date, carried.date).filter((row) => carried.stateOf(row) !== 'out')
    : []
  // what the night carries over is of another day than those asked for: the other conditions are asked of it
  const carriedOver = met(unfinished, { ...filter, from: '', to: '' })
  const found = [...carriedOver, ...met(between(rows, filter.from, filter.to), filter)]
  const days: Day[] = []
  for (let rest = found, day = rest[0]; day; day = rest[0]) {
    const date = day.workingDate
    const next = firstWhere(rest, ({ workingDate }) => workingDate > date)
    days.push({ date, rows: rest.slice(0, next) })
    rest = rest.slice(next)
  }
  return days
}

/** The rows of these days, each `YYYY-MM-DD` or '' for no limit. */
function between(rows: readonly ListedRequest[], from: string, to: string): readonly ListedRequest[] {
  const first = from === '' ? 0 : firstWhere(rows, ({ workingDate }) => workingDate >= from)
  const end = to === '' ? rows.length : firstWhere(rows, ({ workingDate }) => workingDate > to)
  return rows.slice(first, end)
}

/** The place of the first row that is `isThere`, as all after it are; the end where none is. */
function firstWhere(rows: readonly ListedRequest[], isThere: (row: ListedRequest) => boolean): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const row = rows[middle]
    if (row && isThere(row)) high = middle
    else low = middle + 1
  }
  return low
}

export const countOf = (days: readonly Day[]) => days.reduce((sum, { rows }) => sum + rows.length, 0)
