/**
 * The lists of records that the screens of a request need, beside the request itself (sync RULES PL4): the pull reads them,
 * and a request all of whose lists were read can be used offline. Several requests share a list (an area's notes, a
 * device's past reports), so it is known by what it belongs to.
 */
import type { RequestRecord } from './request.ts'

export type PrefetchedCollection =
  | 'emergencyReports'
  | 'safetyMeasures'
  | 'customerLocationChangeRequests'
  | 'locationContactChangeRequests'
  | 'noteLocationAreas'
  | 'pastReports'

/** What the lists of a kind belong to: a request, a visit, an area, devices. */
export const listOwners: Readonly<Record<PrefetchedCollection, (request: RequestRecord) => string[]>> = {
  emergencyReports: ({ id }) => [id],
  // which there are is known from the details
  safetyMeasures: ({ key, detail }) => (detail ? [key] : []),
  customerLocationChangeRequests: ({ id }) => [id],
  locationContactChangeRequests: ({ id }) => [id],
  noteLocationAreas: ({ locationAreaId }) => (locationAreaId ? [locationAreaId] : []),
  pastReports: ({ detail }) => [...new Set((detail?.devices ?? []).map(({ deviceId }) => deviceId))],
}

/** The key of the interest that says a list was read. */
export const prefetchKey = (collection: string, owner: string) => `prefetch_${collection}_${owner}`

/** Where these keys lie among those of all interests: '`' is what sorts after '_'. */
export const PREFETCH_KEYS = { from: 'prefetch_', before: 'prefetch`' }

/** The keys of all lists that a request needs; its details must be known. */
export const prefetchKeys = (request: RequestRecord): string[] =>
  Object.entries(listOwners).flatMap(([collection, ownersOf]) =>
    ownersOf(request).map((owner) => prefetchKey(collection, owner)),
  )
