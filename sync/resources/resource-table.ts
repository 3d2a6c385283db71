/**
 * The table of what travels to the CRM: one row per collection that is pushed. The engine (sender, push) knows no
 * resource by name; a new one whose list is declared as `of-request` is here by its declaration, another one is a row here
 * and one in `pull-table.ts`, and a file in this folder.
 */
import { CREATING_KINDS, effectiveChanges } from '#schemas/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { Records } from '#schemas/collections.ts'
import { declared } from '#schemas/declared.ts'
import {
  isOfRequest,
  isPushCollection,
  pushCollections,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/push-collections.ts'
import { customerLocationChangeRequests } from './customer-location-change-request.ts'
import { locationContactChangeRequests } from './location-contact-change-request.ts'
import { noteLocationAreas } from './note-location-area.ts'
import { pushOfRequest } from './of-request.ts'
import { historyAfter, madeOnSent } from '../merge/merge-edit.ts'
import type { Created, PushResource } from './push-resource.ts'
import { quickReports } from './quick-report.ts'
import { safetyMeasures } from './safety-measure.ts'

type Rows<C extends PushCollection> = { [N in C]: PushResource<Records[N]> }

const ofRequest = pushCollections
  .filter(isOfRequest)
  .map((collection) => [collection, pushOfRequest(declared[collection])])

/** One row per collection that is pushed. */
export const pushResources: Rows<PushCollection> = {
  ...(Object.fromEntries(ofRequest) as Rows<OfRequestCollection>),
  quickReports,
  safetyMeasures,
  customerLocationChangeRequests,
  locationContactChangeRequests,
  noteLocationAreas,
}

/** The row of a record's collection. */
export function resourceOf(name: string): PushResource {
  if (!isPushCollection(name)) throw new Error(`no resource ${name}`)
  return pushResources[name]
}

/** The record once a change of it is settled. */
export function settled(
  record: PushableRecord,
  change: AnyChange,
  created: Created,
  stamp: string,
  row: PushResource,
): PushableRecord {
  const isEdit = !CREATING_KINDS.includes(change.kind)
  const left = withoutSettled(record.changes, change)
  const changes = isEdit ? left.map((each) => madeOnSent(each, change)) : left
  const history = isEdit && row.edits ? historyAfter(row.edits, record, change) : []
  return {
    ...record,
    serverId: created.id,
    server: row.serverAfter({ record, change }, created, stamp),
    changes,
    unsent: changes.length > 0 ? 'yes' : 'no',
    ...(history.length > 0 && { history }),
  }
}

/** The changes that are left once this one is settled: it goes, and the earlier ones it had replaced. */
export function withoutSettled<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  done: C,
): C[] {
  const counting = effectiveChanges(changes.filter((change) => change.stamp <= done.stamp))
  return changes.filter(
    (change) =>
      change.id !== done.id && (change.stamp > done.stamp || counting.some(({ id }) => id === change.id)),
  )
}
