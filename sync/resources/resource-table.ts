/**
 * The resources that are sent to the CRM, one row per collection. The sender knows no resource by name. A new
 * resource with `list: 'of-request'` is added from its declaration; another one needs a row here, a row in
 * `pull-table.ts` and a file in this folder.
 */
import type { RecordViews } from '#schemas/collections/collections.ts'
import { declared } from '#schemas/collections/declared.ts'
import {
  isOfRequest,
  isPushCollection,
  pushCollections,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import { customerLocationChangeRequests } from './customer-location-change-request.ts'
import { locationContactChangeRequests } from './location-contact-change-request.ts'
import { noteLocationAreas } from './note-location-area.ts'
import { pushOfRequest } from './of-request.ts'
import type { PushResource } from './push-resource.ts'
import { quickReports } from './quick-report.ts'
import { safetyMeasures } from './safety-measure.ts'

type Rows<C extends PushCollection> = { [N in C]: PushResource<RecordViews[N]> }

const ofRequest = pushCollections
  .filter(isOfRequest)
  .map((collection) => [collection, pushOfRequest(declared[collection])])

/** One row per push collection. */
export const pushResources: Rows<PushCollection> = {
  ...(Object.fromEntries(ofRequest) as Rows<OfRequestCollection>),
  quickReports,
  safetyMeasures,
  customerLocationChangeRequests,
  locationContactChangeRequests,
  noteLocationAreas,
}

/**
 * The row of a collection.
 * @throws if the name is not a push collection
 */
export function resourceOf(name: string): PushResource {
  if (!isPushCollection(name)) throw new Error(`no resource ${name}`)
  return pushResources[name]
}
