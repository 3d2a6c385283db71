/** The queries of the first screen by name. Their code loads together with the database, not before. */
import type { LazyQuery } from '#data/database/live-queries.ts'
import type { Database } from '#data/database/database.ts'
import type { Interest } from '#schemas/device/interest.ts'
import type { Outbox } from '#data/outbox/outbox.ts'
import type { DayRange } from './request-rows.ts'
import type { Visit, VisitList } from './visits.ts'

/** A query and its key. */
interface NamedQuery<T> {
  key: string
  query: LazyQuery<Database, T>
}

/** The send queue. */
export const outboxQuery: NamedQuery<Outbox> = {
  key: 'outbox',
  query: { load: async () => (await import('./visits.ts')).outbox$ },
}

/** Every visit on the device. */
export const visitListQuery: NamedQuery<VisitList> = {
  key: 'visit list',
  query: { load: async () => (await import('./visits.ts')).visitList$ },
}

/** The visits of a range of days. */
export const visitsOfDaysQuery = (days: DayRange): NamedQuery<VisitList> => ({
  key: `visits of days ${days.from} ${days.to}`,
  query: {
    load: async () => {
      const { visitsOfDays$ } = await import('./visits.ts')
      return (db) => visitsOfDays$(db, days)
    },
  },
})

/** State of the last search in the CRM. */
export const searchInterestQuery: NamedQuery<Interest | null> = {
  key: 'search interest',
  query: {
    load: async () => {
      const { interest$, SEARCH_INTEREST } = await import('#data/fetch-requests/interests.ts')
      return (db) => interest$(db, SEARCH_INTEREST)
    },
  },
}

/** The visits of one request, earliest first. Also started by a touch on its row. */
export const requestVisitsQuery = (requestId: string): NamedQuery<Visit[]> => ({
  key: `visits of ${requestId}`,
  query: {
    load: async () => {
      const { visitsOfRequest$ } = await import('./visits.ts')
      return (db) => visitsOfRequest$(db, requestId)
    },
  },
})
