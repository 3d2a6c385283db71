/** Finds the visits that match a filter. Days and visits are sorted by time. */
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { asksForDaysOnly, matcherOf } from '#schemas/resources/request-search.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'

export interface Day {
  /** YYYY-MM-DD */
  date: string
  rows: ListedRequest[]
}

/**
 * Returns the days with results.
 * @param list its rows are sorted by day and time
 * @param carried the day before the searched days, `YYYY-MM-DD`, of which only unfinished visits are shown; null for none
 */
export function daysOf(
  { rows, fold, stateOf }: Pick<VisitList, 'rows' | 'fold'> & Partial<Pick<VisitList, 'stateOf'>>,
  filter: RequestFilter,
  carried: string | null = null,
): Day[] {
  const { from, to } = filter
  // Days are compared first, because most of ten thousand rows are of other days.
  const isOfDays = ({ workingDate: day }: ListedRequest) => day >= from && (to === '' || day <= to)
  const matches = asksForDaysOnly(filter) ? () => true : matcherOf(filter, fold)
  const matchesBefore = matcherOf({ ...filter, from: carried ?? '', to: carried ?? '' }, fold)
  const isCarried = (row: ListedRequest) =>
    row.workingDate === carried && stateOf?.(row) !== 'out' && matchesBefore(row)
  const days: Day[] = []
  for (const row of rows.filter((each) => (isOfDays(each) ? matches(each) : isCarried(each)))) {
    const last = days.at(-1)
    if (last?.date === row.workingDate) last.rows.push(row)
    else days.push({ date: row.workingDate, rows: [row] })
  }
  return days
}

/**
 * Returns a predicate for requests that the CRM has confirmed within EXPIRY_MS (sync RULES EX1, EX3). A wrong clock only
 * hides requests, because deletion uses trusted time. Requests with unsent changes are never hidden.
 * @param now epoch ms of the device's clock
 */
export function freshAt(now: number, hasUnsent: VisitList['hasUnsent']): (row: ListedRequest) => boolean {
  const before = new Date(now - EXPIRY_MS).toISOString()
  return (row) => row.confirmedAt >= before || hasUnsent(row)
}

/** Removes requests that are too old, and days that are then empty. @param now epoch ms of the device's clock */
export const freshDays = (days: readonly Day[], hasUnsent: VisitList['hasUnsent'], now: number): Day[] =>
  days
    .map((day) => ({ ...day, rows: day.rows.filter(freshAt(now, hasUnsent)) }))
    .filter(({ rows }) => rows.length > 0)

export const countOf = (days: readonly Day[]) => days.reduce((sum, { rows }) => sum + rows.length, 0)
