/** Queries of the first screen, with their keys. Their code is loaded when the database opens. */
import { useUserData } from '#data/context/app-context.tsx'
import type { LazyQuery } from '#data/database/live-queries.ts'
import type { Database } from '#data/database/database.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { Outbox } from '#data/outbox/outbox.ts'
import type { DayRange } from './request-rows.ts'
import type { Visit, VisitList } from './visits.ts'

type NamedQuery<T> = { key: string; query: LazyQuery<Database, T> }

const lazy = <T>(key: string, load: LazyQuery<Database, T>['load']): NamedQuery<T> => ({
  key,
  query: { load },
})

export const outboxQuery: NamedQuery<Outbox> = lazy(
  'outbox',
  async () => (await import('./visits.ts')).outbox$,
)

export const visitListQuery: NamedQuery<VisitList> = lazy(
  'visit list',
  async () => (await import('./visits.ts')).visitList$,
)

export const visitsOfDaysQuery = (days: DayRange): NamedQuery<VisitList> =>
  lazy(`visits of days ${days.from} ${days.to}`, async () => {
    const { visitsOfDays$ } = await import('./visits.ts')
    return (db) => visitsOfDays$(db, days)
  })

export const searchInterestQuery: NamedQuery<Interest | null> = lazy('search interest', async () => {
  const { interest$, SEARCH_INTEREST } = await import('#data/fetch-requests/interests.ts')
  return (db) => interest$(db, SEARCH_INTEREST)
})

/** Visits of one request, earliest first. A touch on the request's row in the list already starts this query. */
export const requestVisitsQuery = (requestId: string): NamedQuery<Visit[]> =>
  lazy(`visits of ${requestId}`, async () => {
    const { visitsOfRequest$ } = await import('./visits.ts')
    return (db) => visitsOfRequest$(db, requestId)
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
