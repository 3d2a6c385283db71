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
  const matches = asksForDaysOnly(filter) ? () => true : matcherOf({ ...filter, from: '', to: '' }, fold)
  const ofDays = (first: string, last: string) =>
    rows.slice(indexOfDay(rows, first), last === '' ? undefined : indexOfDay(rows, `${last}~`))
  const isBefore = carried !== null && carried < from
  const unfinished = isBefore ? ofDays(carried, carried).filter((row) => stateOf?.(row) !== 'out') : []
  const days: Day[] = []
  for (const row of [...unfinished, ...ofDays(from, to)].filter(matches)) {
    const last = days.at(-1)
    if (last?.date === row.workingDate) last.rows.push(row)
    else days.push({ date: row.workingDate, rows: [row] })
  }
  return days
}

/** Returns the index of the first row of this day or later. @param rows sorted by day: most of ten thousand are of other days */
function indexOfDay(rows: readonly ListedRequest[], day: string): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.workingDate ?? '') < day) low = middle + 1
    else high = middle
  }
  return low
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
