/**
 * Starts the replication of every collection whose records belong to requests: one row each of
 * `pull-table.ts`. Records are only pulled; local saves are pushed from `changes` (`replications.ts`).
 */
import { merge, Subject, type Observable } from 'rxjs'
import { isSharedKind, sharedKinds } from '#schemas/collections/shared.ts'
import type { Replicating } from '../retention/clean-up.ts'
import { collectionOf, type SyncDatabase } from '../storage/database.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { InFlight } from '../lib/in-flight.ts'
import type { Pacer } from '#sync/scheduler/prefetch.ts'
import { createRecordPull } from '#sync/pull/records/pull-records.ts'
import type { RecordPullParts } from '#sync/pull/records/record-pull.ts'
import { startedOrFailed, replicatePull } from '#sync/changes/replications.ts'
import type { LocalRecord } from '../merge/pulled-row.ts'
import { pullResources, type RecordCollection } from '../resources/pull-table.ts'
import type { Ticks } from '../lib/ticks.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { StorageTroubles } from '../storage/storage-trouble.ts'
import type { PullApi } from '#sync/scheduler/api.ts'

/**
 * The replication identifier of a collection, e.g. crm-emergency-report. Must never change (RULES trap 12).
 */
export const identifierOf = (collection: RecordCollection) =>
  `crm-${collection.replace(/s$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

interface Parts {
  db: SyncDatabase
  api: PullApi
  gate: () => PullGate
  clock: PullClock
  loginUserId: string
  supplierId: string
  report: (problem: string) => void
  inFlight: InFlight
  troubles: StorageTroubles
  /** True while only what a screen waits for, and what was just sent, may be read. */
  isUrgentOnly: () => boolean
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
  random: () => number
  ticks: Ticks
  stop$: Observable<unknown>
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
  look(): void
  /**
   * Starts a new round.
   * @param asked true if the user requested it
   */
  refetch(asked: boolean): void
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
      pull.look()
      resync$.next('RESYNC')
    }
    const own = { name, collection: records, resource, gate: gate(), wake }
    const pull = createRecordPull({ db, inFlight, ...own, ...parts })
    const replication = replicatePull({
      collection,
      identifier: identifierOf(name),
      pull: pull.handler,
      ring: pull.ring,
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
    look() {
      for (const { pull } of all) pull.look()
      goOn()
    },
    refetch(asked) {
      for (const { pull } of all) pull.refetch(asked)
      goOn()
    },
    cancel: () => Promise.all(all.map(({ replication }) => replication.cancel())),
  }
}
