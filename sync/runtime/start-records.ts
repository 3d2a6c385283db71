/**
 * Starts pulls with the RxDB replications that write their documents: `startPull` starts one, `startRecords` one for
 * each collection of `resource-table.ts`. Saves on this device are pushed from the collection `changes` only
 * (`replications.ts`).
 */
import type { RxCollection, WithDeleted } from 'rxdb'
import { Subject } from 'rxjs'
import { isSharedKind, sharedKinds } from '#schemas/collections/shared.ts'
import { collectionOf } from '../storage/database.ts'
import { fetchRequestAnswerer } from '../storage/fetch-requests.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { PullServices } from '#sync/pull/engine/work.ts'
import { createRecordPull } from '#sync/pull/records/pull-records.ts'
import type { RecordPullParts } from '#sync/pull/records/local-records.ts'
import { replicatePull } from '#sync/changes/replications.ts'
import type { LocalRecord } from '../merge/merge-rows.ts'
import { pullResources, type RecordCollection } from '../resources/resource-table.ts'
import type { StorageTroubles } from '../storage/storage-trouble.ts'

/** The services that all pulls share. `startPull` adds those that each pull has for itself. */
export interface PullStart extends Omit<PullServices, 'gate' | 'wake' | 'accepted' | 'answer'> {
  gate: () => PullGate
  troubles: StorageTroubles
}

/**
 * Starts the pull that `create` returns, and the replication that writes its documents. The returned `resync` makes
 * RxDB call the pull's handler again.
 */
export function startPull<R, P extends { handler(): Promise<WithDeleted<R>[]>; recheck(): void }>(
  { gate, troubles, ...services }: PullStart,
  collection: RxCollection<R>,
  identifier: string,
  create: (services: PullServices) => P,
) {
  const resync$ = new Subject<'RESYNC'>()
  const resync = () => resync$.next('RESYNC')
  const { api, db, clock, inFlight } = services
  const answer = fetchRequestAnswerer(db, clock)
  const pull = create({ ...services, gate: gate(), wake: resync, accepted: api.accepted, answer })
  const { handler, recheck } = pull
  const replication = replicatePull({
    collection,
    identifier,
    pull: handler,
    recheck,
    resync$,
    inFlight,
    troubles,
  })
  return { pull, replication, resync }
}

/** The replication identifier of a collection, e.g. crm-emergency-report. Must never change (RULES trap 12). */
export const identifierOf = (collection: RecordCollection) =>
  `crm-${collection.replace(/s$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

type Settings = Pick<RecordPullParts<LocalRecord>, 'loginUserId' | 'supplierId' | 'isUrgentOnly'>

/** Starts the pulls of all collections in `resource-table.ts`. */
export function startRecords(start: PullStart, settings: Settings) {
  const { db } = start
  return (Object.keys(pullResources) as RecordCollection[]).map((name) => {
    const resource = pullResources[name]
    // The cast is needed because RxDB's collection type is invariant.
    const collection = db[name] as unknown as RecordPullParts<LocalRecord>['collection']
    // A view of a shared collection cannot be replicated, so the replication gets the whole collection.
    const stored = collectionOf<LocalRecord>(db, isSharedKind(name) ? sharedKinds[name].in : name)
    return startPull(start, stored, identifierOf(name), (services) => {
      // A pull calls `wake` at the end of a back-off. Other lists may then have to be read as well.
      const wake = () => {
        pull.replan()
        services.wake()
      }
      const pull = createRecordPull({ ...services, ...settings, name, collection, resource, wake })
      return pull
    })
  })
}
