/**
 * Hides requests that the CRM has not confirmed for EXPIRY_MS by the device's clock (sync RULES EX1, EX3). A wrong
 * clock only hides requests, which reappear once the clock is right, because deletion uses trusted time. Requests with
 * unsent changes are never hidden.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'
import type { Day } from './days.ts'

/** Returns a predicate for requests that are not too old to be shown. @param now epoch ms of the device's clock */
export function freshAt(now: number, hasUnsent: VisitList['hasUnsent']): (row: ListedRequest) => boolean {
  const before = new Date(now - EXPIRY_MS).toISOString()
  return (row) => row.confirmedAt >= before || hasUnsent(row)
}

/**
 * Removes requests that are too old, and days that are then empty. @param now epoch ms of the device's clock
 */
export function freshDays(days: readonly Day[], hasUnsent: VisitList['hasUnsent'], now: number): Day[] {
  const isFresh = freshAt(now, hasUnsent)
  return days
    .map((day) => (day.rows.every(isFresh) ? day : { ...day, rows: day.rows.filter(isFresh) }))
    .filter(({ rows }) => rows.length > 0)
}
