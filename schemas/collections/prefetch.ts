/**
 * The lists of records that a request's screens need besides the request (sync RULES PL4). A request whose lists have
 * all been read can be used offline. Requests can share a list, such as an area's notes, so an owner identifies each
 * list.
 */
import type { ListOwner } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import { declaredFacts, type PushCollection } from './push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

/** Key of the row that records that a list was read: a fetch request of kind `prefetch` (`interest.ts`). */
export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/** A read of the window (the days on the device) is recorded as if the window were a list of records. */
export const WINDOW_LIST = { collection: 'requests', owner: 'window' }
/** Separates the days with unreadable requests in the field `because` of WINDOW_LIST. */
export const UNREAD_DAYS_BY = ','

/** Key range of the rows of kind `prefetch`. The character after `_` is '`'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }

type Listed = {
  [C in PushCollection]: (typeof declared)[C]['owner'] extends null ? never : C
}[PushCollection]
export type PrefetchedCollection = Listed | 'pastReports'

const OWNERS: Readonly<Record<ListOwner, (request: RequestRecord) => string[]>> = {
  requestId: ({ id }) => [id],
  // A visit's list contains safety measures, whose ids are in the request's details.
  visit: ({ key, detail }) => (detail ? [key] : []),
  locationAreaId: ({ locationAreaId }) => (locationAreaId ? [locationAreaId] : []),
}

const ofDeclared = Object.entries(declaredFacts).flatMap(([collection, { owner }]) =>
  owner ? [[collection, OWNERS[owner]]] : [],
)

/** The owners of a request's lists: ids or keys of a request, visit, area or machine. */
export const listOwners: Readonly<Record<PrefetchedCollection, (request: RequestRecord) => string[]>> = {
  ...(Object.fromEntries(ofDeclared) as Record<Listed, (request: RequestRecord) => string[]>),
  pastReports: ({ detail }) => [...new Set((detail?.devices ?? []).map(({ deviceId }) => deviceId))],
}

/** Collections whose records are read one by one, by the ids in the request's row. */
type NamedCollection = 'safetyMeasures' | 'customerLocationChangeRequests' | 'locationContactChangeRequests'

/** The safety measures of the visit's own day. The row may also have those of other days. */
export const measuresOfTheDay = ({ detail, workingDate }: RequestRecord) =>
  (detail?.safety ?? []).filter((safety) => (safety.workingDate ?? workingDate) === workingDate)

/** The ids of a collection's records in a request's row. */
export const namedIds: Readonly<Record<NamedCollection, (request: RequestRecord) => string[]>> = {
  safetyMeasures: (request) => measuresOfTheDay(request).map(({ id }) => id),
  customerLocationChangeRequests: ({ customerLocationChangeRequestId: id }) => (id ? [id] : []),
  locationContactChangeRequests: ({
    inLocationContactChangeRequestId: entry,
    outLocationContactChangeRequestId: exit,
  }) => [entry ?? [], exit ?? []].flat(),
}

/** True if the request's row shows that the collection has no record for it. */
export const namesNone = (collection: string, request: RequestRecord): boolean =>
  Object.hasOwn(namedIds, collection) && namedIds[collection as NamedCollection](request).length === 0

export const prefetchKeys = (request: RequestRecord): string[] =>
  Object.entries(listOwners).flatMap(([collection, ownersOf]) =>
    namesNone(collection, request) ? [] : ownersOf(request).map((owner) => prefetchKey(collection, owner)),
  )
