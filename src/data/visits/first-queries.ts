/** Queries of the first screen, with their keys. Their code is loaded when the database opens. */
import { useUserData } from '#data/context/app-context.tsx'
import type { LazyQuery } from '#data/database/live-queries.ts'
import type { Database } from '#data/database/database.ts'
import type { DayRange } from './request-rows.ts'

const lazy = <T>(key: string, load: LazyQuery<Database, T>['load']) => ({ key, query: { load } })

export const outboxQuery = lazy('outbox', async () => (await import('./visits.ts')).outbox$)
export const visitListQuery = lazy('visit list', async () => (await import('./visits.ts')).visitList$)

export const visitsOfDaysQuery = (days: DayRange) =>
  lazy(`visits of days ${days.from} ${days.to}`, async () => {
    const { visitsOfDays$ } = await import('./visits.ts')
    return (db: Database) => visitsOfDays$(db, days)
  })

export const searchInterestQuery = lazy('search interest', async () => {
  const { interest$, SEARCH_INTEREST } = await import('#data/fetch-requests/interests.ts')
  return (db: Database) => interest$(db, SEARCH_INTEREST)
})

/** Visits of one request, earliest first. A touch on the request's row in the list already starts this query. */
export const requestVisitsQuery = (requestId: string) =>
  lazy(`visits of ${requestId}`, async () => {
    const { visitsOfRequest$ } = await import('./visits.ts')
    return (db: Database) => visitsOfRequest$(db, requestId)
  })

/** Returns a function that starts to read a request when a finger touches its row, before the screen opens. */
export function useReadAhead(): (requestId: string) => void {
  const data = useUserData()
  return (requestId) => {
    const { key, query } = requestVisitsQuery(requestId)
    // After its last subscriber, a query runs on for a while (`live-queries.ts`), in which the screen opens.
    const unsubscribe = data?.live.store(key, query).subscribe(() => undefined)
    unsubscribe?.()
  }
}
