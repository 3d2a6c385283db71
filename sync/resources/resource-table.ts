/**
 * How the records of each collection are sent (`pushResources`) and read (`pullResources`). The sender and the pull
 * find a resource here by the name of its collection. A new resource with `list: 'of-request'` needs only its
 * declaration, any other an entry here and a file in this folder.
 */
import type { RecordViews } from '#schemas/collections/collections.ts'
import { declared } from '#schemas/collections/declared.ts'
import type { PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import {
  isOfRequest,
  isPushCollection,
  pushCollections,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import type { LocalRecord } from '../merge/merge-rows.ts'
import {
  customerLocationChangeRequests,
  customerLocationPull,
  contactChangePull,
  locationContactChangeRequests,
} from './change-requests.ts'
import { noteLocationAreas, notePull } from './note-location-area.ts'
import { pullOfRequest, pushOfRequest } from './declared-resource.ts'
import { pastReportPull, supplierStaffPull } from './read-only-records.ts'
import { quickReports } from './quick-report.ts'
import type { PullResource, PushResource } from './resource.ts'
import { safetyMeasurePull, safetyMeasures } from './safety-measure.ts'

type Rows<C extends PushCollection> = { [N in C]: PushResource<RecordViews[N]> }

// These collections have no code of their own: everything follows from their declarations.
const ofRequest = pushCollections.filter(isOfRequest)
const sentOfRequest = ofRequest.map((name) => [name, pushOfRequest(declared[name])])

export const pushResources: Rows<PushCollection> = {
  ...(Object.fromEntries(sentOfRequest) as Rows<OfRequestCollection>),
  quickReports,
  safetyMeasures,
  customerLocationChangeRequests,
  locationContactChangeRequests,
  noteLocationAreas,
}

/** @throws if records of this collection are never sent to the CRM */
export function resourceOf(name: string): PushResource {
  if (!isPushCollection(name)) throw new Error(`no resource ${name}`)
  return pushResources[name]
}

export type RecordCollection = PrefetchedCollection | 'supplierStaff'

/** Widens the record type of a resource. This is safe, because the pull passes each resource only its own records. */
const widened = <R extends LocalRecord>(pull: PullResource<R>): PullResource<LocalRecord> => pull

const readOfRequest = ofRequest.map((name) => [name, widened(pullOfRequest(declared[name]))])

export const pullResources: Readonly<Record<RecordCollection, PullResource<LocalRecord>>> = {
  ...(Object.fromEntries(readOfRequest) as Record<OfRequestCollection, PullResource<LocalRecord>>),
  safetyMeasures: widened(safetyMeasurePull),
  customerLocationChangeRequests: widened(customerLocationPull),
  locationContactChangeRequests: widened(contactChangePull),
  noteLocationAreas: widened(notePull),
  pastReports: widened(pastReportPull),
  supplierStaff: widened(supplierStaffPull),
}
