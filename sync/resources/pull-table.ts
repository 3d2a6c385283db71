/**
 * The resources that are read besides requests and quick reports, one row per collection. Declared resources
 * with `list: 'of-request'` are added from their declarations (`of-request.ts`).
 */
import { declared } from '#schemas/collections/declared.ts'
import type { PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import {
  isOfRequest,
  pushCollections,
  type OfRequestCollection,
} from '#schemas/collections/push-collections.ts'
import { customerLocationPull } from './customer-location-change-request.ts'
import { contactChangePull } from './location-contact-change-request.ts'
import { notePull } from './note-location-area.ts'
import { pullOfRequest } from './of-request.ts'
import { pastReportPull } from './past-report.ts'
import type { LocalRecord } from '../merge/pulled-row.ts'
import type { PullResource } from './pull-resource.ts'
import { safetyMeasurePull } from './safety-measure.ts'
import { supplierStaffPull } from './supplier-staff.ts'

export type RecordCollection = PrefetchedCollection | 'supplierStaff'

/** Widens the type of a row. The engine only gives it records of its own collection. */
const row = <R extends LocalRecord>(pull: PullResource<R>): PullResource<LocalRecord> => pull

const ofRequest = pushCollections
  .filter(isOfRequest)
  .map((collection) => [collection, row(pullOfRequest(declared[collection]))])

export const pullResources: Readonly<Record<RecordCollection, PullResource<LocalRecord>>> = {
  ...(Object.fromEntries(ofRequest) as Record<OfRequestCollection, PullResource<LocalRecord>>),
  safetyMeasures: row(safetyMeasurePull),
  customerLocationChangeRequests: row(customerLocationPull),
  locationContactChangeRequests: row(contactChangePull),
  noteLocationAreas: row(notePull),
  pastReports: row(pastReportPull),
  supplierStaff: row(supplierStaffPull),
}
