/**
 * Hides requests that the CRM has not confirmed for EXPIRY_MS according to the device's clock (sync RULES EX1, EX3). They
 * stay on the device until trusted time agrees, so they appear again if the clock is corrected. Requests with unsent
 * changes are not hidden.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'
import type { VisitList } from '#data/visits/visits.ts'
import type { Day } from './days.ts'

/** Returns a predicate that is true for requests that are shown. @param now epoch ms of the wall clock */
export function freshAt(now: number, hasUnsent: VisitList['hasUnsent']): (row: ListedRequest) => boolean {
  const before = new Date(now - EXPIRY_MS).toISOString()
  return (row) => row.confirmedAt >= before || hasUnsent(row)
}

/** Returns the days without hidden requests. @param now epoch ms of the wall clock */
export function freshDays(days: readonly Day[], hasUnsent: VisitList['hasUnsent'], now: number): Day[] {
  const isFresh = freshAt(now, hasUnsent)
  return days
    .map((day) => (day.rows.every(isFresh) ? day : { ...day, rows: day.rows.filter(isFresh) }))
    .filter(({ rows }) => rows.length > 0)
}
