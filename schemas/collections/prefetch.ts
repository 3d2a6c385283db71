/**
 * The lists of records that a request's screens need besides the request (sync RULES PL4). The pull reads them; a
 * request whose lists were all read can be used offline. Several requests can share a list (an area's notes, a
 * machine's past reports), so a list is identified by its owner.
 */
import type { ListOwner } from '#schemas/declare/declare.ts'
import type { declared } from './declared.ts'
import { declaredFacts } from './declared-facts.ts'
import { prefetchKey } from './prefetch-keys.ts'
import type { PushCollection } from './push-collections.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

type Listed = {
  [C in PushCollection]: (typeof declared)[C]['owner'] extends null ? never : C
}[PushCollection]
export type PrefetchedCollection = Listed | 'pastReports'

const OWNERS: Readonly<Record<ListOwner, (request: RequestRecord) => string[]>> = {
  requestId: ({ id }) => [id],
  // Only a request with details says which measures exist.
  visit: ({ key, detail }) => (detail ? [key] : []),
  locationAreaId: ({ locationAreaId }) => (locationAreaId ? [locationAreaId] : []),
}

const ofDeclared = Object.entries(declaredFacts).flatMap(([collection, { owner }]) =>
  owner ? [[collection, OWNERS[owner]]] : [],
)

/** Returns the owners of a request's lists, by collection: a request, a visit, an area, machines. */
export const listOwners: Readonly<Record<PrefetchedCollection, (request: RequestRecord) => string[]>> = {
  ...(Object.fromEntries(ofDeclared) as Record<Listed, (request: RequestRecord) => string[]>),
  pastReports: ({ detail }) => [...new Set((detail?.devices ?? []).map(({ deviceId }) => deviceId))],
}

/** Collections whose records a request names by id. If the request names no record, there is nothing to read. */
type NamedCollection = 'safetyMeasures' | 'customerLocationChangeRequests' | 'locationContactChangeRequests'

/**
 * The safety measures of the visit's own day. A row may also name the measures of other days, which have rows of their
 * own.
 */
export const measuresOfTheDay = ({ detail, workingDate }: RequestRecord) =>
  (detail?.safety ?? []).filter((safety) => (safety.workingDate ?? workingDate) === workingDate)

/** The ids that a request names, for lists that are read record by record. */
export const namedIds: Readonly<Record<NamedCollection, (request: RequestRecord) => string[]>> = {
  safetyMeasures: (request) => measuresOfTheDay(request).map(({ id }) => id),
  customerLocationChangeRequests: ({ customerLocationChangeRequestId: id }) => (id ? [id] : []),
  locationContactChangeRequests: ({
    inLocationContactChangeRequestId: entry,
    outLocationContactChangeRequestId: exit,
  }) => [entry ?? [], exit ?? []].flat(),
}

/** True if the request itself says that its list of this collection is empty. */
export const namesNone = (collection: string, request: RequestRecord): boolean =>
  Object.hasOwn(namedIds, collection) && namedIds[collection as NamedCollection](request).length === 0

/** Keys of all lists that a request needs. The request's details must be known. */
export const prefetchKeys = (request: RequestRecord): string[] =>
  Object.entries(listOwners).flatMap(([collection, ownersOf]) =>
    namesNone(collection, request) ? [] : ownersOf(request).map((owner) => prefetchKey(collection, owner)),
  )
