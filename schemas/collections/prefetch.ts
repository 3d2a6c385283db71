/**
 * The lists of records that the screens of a request need, beside the request itself (sync RULES PL4): the pull reads them,
 * and a request all of whose lists were read can be used offline. Several requests share a list (an area's notes, a
 * device's past reports), so it is known by what it belongs to.
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
  // which there are is known from the details
  visit: ({ key, detail }) => (detail ? [key] : []),
  locationAreaId: ({ locationAreaId }) => (locationAreaId ? [locationAreaId] : []),
}

const ofDeclared = Object.entries(declaredFacts).flatMap(([collection, { owner }]) =>
  owner ? [[collection, OWNERS[owner]]] : [],
)

/** What the lists of a kind belong to: a request, a visit, an area, devices. */
export const listOwners: Readonly<Record<PrefetchedCollection, (request: RequestRecord) => string[]>> = {
  ...(Object.fromEntries(ofDeclared) as Record<Listed, (request: RequestRecord) => string[]>),
  pastReports: ({ detail }) => [...new Set((detail?.devices ?? []).map(({ deviceId }) => deviceId))],
}

/** Whose records a request names by their ids: where it names none, there is nothing to read. */
type NamedCollection = 'safetyMeasures' | 'customerLocationChangeRequests' | 'locationContactChangeRequests'

/** The measures of the visit's own day: each day has its own row, and a row may name those of other days, too. */
export const measuresOfTheDay = ({ detail, workingDate }: RequestRecord) =>
  (detail?.safety ?? []).filter((safety) => (safety.workingDate ?? workingDate) === workingDate)

/** The ids that a request names, of the lists that are read one record at a time. */
export const namedIds: Readonly<Record<NamedCollection, (request: RequestRecord) => string[]>> = {
  safetyMeasures: (request) => measuresOfTheDay(request).map(({ id }) => id),
  customerLocationChangeRequests: ({ customerLocationChangeRequestId: id }) => (id ? [id] : []),
  locationContactChangeRequests: ({
    inLocationContactChangeRequestId: entry,
    outLocationContactChangeRequestId: exit,
  }) => [entry ?? [], exit ?? []].flat(),
}

/** Whether a request itself says that its list of a kind is empty. */
export const namesNone = (collection: string, request: RequestRecord): boolean =>
  Object.hasOwn(namedIds, collection) && namedIds[collection as NamedCollection](request).length === 0

/** The keys of all lists that a request needs; its details must be known. */
export const prefetchKeys = (request: RequestRecord): string[] =>
  Object.entries(listOwners).flatMap(([collection, ownersOf]) =>
    namesNone(collection, request) ? [] : ownersOf(request).map((owner) => prefetchKey(collection, owner)),
  )
