/**
 * Starts the replication of every collection whose records belong to requests: one row each of
 * `resource-table.ts`. Records are only pulled; local saves are pushed from `changes` (`replications.ts`).
 */
import { merge, Subject, type Observable } from 'rxjs'
import { isSharedKind, sharedKinds } from '#schemas/collections/shared.ts'
import type { Replicating } from '#sync/retention/purge.ts'
import { collectionOf } from '../storage/database.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { PullServices } from '#sync/pull/engine/engine.ts'
import { createRecordPull } from '#sync/pull/records/pull-records.ts'
import type { RecordPullParts } from '#sync/pull/records/local-records.ts'
import { startedOrFailed, replicatePull } from '#sync/changes/replications.ts'
import type { LocalRecord } from '../merge/merge-rows.ts'
import { pullResources, type RecordCollection } from '../resources/resource-table.ts'
import type { StorageTroubles } from '../storage/storage-trouble.ts'

/**
 * The replication identifier of a collection, e.g. crm-emergency-report. Must never change (RULES trap 12).
 */
export const identifierOf = (collection: RecordCollection) =>
  `crm-${collection.replace(/s$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

interface Parts
  extends
    Omit<PullServices, 'gate' | 'wake'>,
    Pick<RecordPullParts<LocalRecord>, 'loginUserId' | 'supplierId' | 'isUrgentOnly'> {
  gate: () => PullGate
  troubles: StorageTroubles
}

export interface Records {
  replications: readonly Replicating[]
  /**
   * Resolves when each replication has started, or was refused by a full device and will be started again.
   */
  started: Promise<unknown>
  /** Emits when something read was written. */
  received$: Observable<unknown>
  /** Checks again which reads may begin, because documents may have arrived on the device. */
  goOn(): void
  /** Plans the lists again, because requests may have changed, or sent changes must be read back. */
  replan(): void
  /**
   * Starts a new round.
   * @param isRequested true if the user requested it
   */
  refetch(isRequested: boolean): void
  cancel(): Promise<unknown>
}

export function startRecords({ db, gate, inFlight, troubles, ...parts }: Parts): Records {
  const names = Object.keys(pullResources) as RecordCollection[]
  const all = names.map((name) => {
    const resource = pullResources[name]
    // RxDB's collection type is invariant in its record type.
    const records = db[name] as unknown as RecordPullParts<LocalRecord>['collection']
    const collection = collectionOf<LocalRecord>(db, isSharedKind(name) ? sharedKinds[name].in : name)
    const resync$ = new Subject<'RESYNC'>()
    const wake = () => {
      pull.replan()
      resync$.next('RESYNC')
    }
    const own = { name, collection: records, resource, gate: gate(), wake }
    const pull = createRecordPull({ db, inFlight, ...own, ...parts })
    const replication = replicatePull({
      collection,
      identifier: identifierOf(name),
      pull: pull.handler,
      recheck: pull.recheck,
      resync$,
      inFlight,
      troubles,
    })
    return { pull, resync$, replication }
  })
  const goOn = () => {
    for (const { resync$ } of all) resync$.next('RESYNC')
  }
  return {
    replications: all.map(({ replication }) => replication),
    started: Promise.all(all.map(({ replication }) => startedOrFailed(replication))),
    received$: merge(...all.map(({ replication: { received$ } }) => received$)),
    goOn,
    replan() {
      for (const { pull } of all) pull.replan()
      goOn()
    },
    refetch(isRequested) {
      for (const { pull } of all) pull.refetch(isRequested)
      goOn()
    },
    cancel: () => Promise.all(all.map(({ replication }) => replication.cancel())),
  }
}
