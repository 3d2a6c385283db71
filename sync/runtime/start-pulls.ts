/**
 * Starts the pulls, which read one user's data from the CRM, with the RxDB replications that write their documents. The end
 * of one read starts others (RULES PL4, PL5):
 *
 *     start, timer, 更新, connection restored ─→ everything that is outdated is read
 *     a request was stored on the device ─→ its report and its lists of records are read
 *     all requests of the window (days on the device) were read ─→ records of other collections may be read
 */
import type { RxCollection, WithDeleted } from 'rxdb'
import {
  Subject,
  auditTime,
  debounceTime,
  defer,
  exhaustMap,
  filter,
  merge,
  retry,
  skip,
  takeUntil,
  type Observable,
} from 'rxjs'
import { isSharedKind, sharedKinds } from '#schemas/collections/shared.ts'
import { loginUserId } from '#schemas/api-error.ts'
import { again } from '../lib/backoff.ts'
import { accepted$ } from '../changes/change-store.ts'
import { type InFlight, replicatePull, startedOrFailed } from '../changes/replications.ts'
import type { LocalRecord } from '../merge/merge-rows.ts'
import { tryRoom } from '#sync/photos/photo-store.ts'
import { createPacer, type Pacer, type PullServices } from '#sync/pull/engine/work.ts'
import type { RecordPullParts } from '#sync/pull/records/local-records.ts'
import { QuickReportPull } from '#sync/pull/records/pull-quick-reports.ts'
import { RecordPull } from '#sync/pull/records/pull-records.ts'
import { RequestPull, refetchTriggers, type Cause } from '#sync/pull/requests/pull-requests.ts'
import { pullResources, type RecordCollection } from '../resources/resource-table.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { Calls, SyncParts } from './start-calls.ts'
import { collectionOf, fetchRequestAnswerer } from '../storage/database.ts'
import { createStorageTrouble, type StorageTroubles } from '../storage/storage-trouble.ts'

/** Reads that depend on received documents begin this many milliseconds after the last document. */
const RECONCILE_AFTER_MS = 20
/** Milliseconds between two reads of reports while pages of the request list arrive. */
const RECONCILE_PAGES_MS = 1_000

export interface Leading {
  parts: SyncParts
  calls: Calls
  inFlight: InFlight
  stop$: Observable<void>
}

type Parts = Leading & { send: () => Promise<void> }

export function startPulls(own: Parts) {
  const { parts, calls, inFlight, stop$ } = own
  const { db, report, random, user, visible$ } = parts
  const { api, clock, ticks, gate } = calls
  const pacer = createPacer({ visible$, stop$, random, now: clock.now })
  const troubles = troublesOf(own, () => {
    requests.pull.refused()
    // Nobody has requested anything, so reads that only confirm keep their pace (RULES PL10).
    readAgain('user')
  })
  const services = { db, api, clock, report, random, ticks, inFlight, stop$, pacer }
  const pulls = createPulls({ ...services, gate, troubles }, user)
  const { requests, reports, records } = pulls
  const dependents = [reports, ...records]
  const all = [...dependents, requests]
  const readAgain = (cause: Cause) => {
    requests.pull.refetch(cause)
    reports.pull.refetch()
    for (const { pull } of records) pull.refetch(cause === 'user')
    for (const { resync } of all) resync()
  }
  const refetch = (cause: Cause) => {
    pacer.hurry(cause === 'user')
    readAgain(cause)
  }
  // Subscribed at once, because the connection may be restored before the replications run.
  const online$ = parts.connectivity.online$.pipe(skip(1), filter(Boolean))
  const back$ = merge(online$, parts.schedulers.crm.recovered$)
  back$.pipe(takeUntil(stop$)).subscribe(() => {
    pacer.pause()
    requests.pull.recovered()
  })
  refetchTriggers(back$, visible$, random).pipe(takeUntil(stop$)).subscribe(refetch)
  measureInitial(requests.replication)
  /** Calls the pull handlers of other records again. */
  const resyncRecords = () => records.forEach(({ resync }) => resync())
  const replan = () => {
    for (const { pull } of records) pull.replan()
    resyncRecords()
  }
  followUp(pulls, pacer, { replan, resyncRecords }, db, stop$)
  return {
    refetch,
    troubles,
    /** Calls the pull handlers of requests and reports again. */
    pull() {
      requests.resync()
      reports.resync()
    },
    replan,
    replications: all.map(({ replication }) => replication),
    /** Resolves when every pull but that of requests has started, or a full device has prevented its start. */
    started: Promise.all(dependents.map(({ replication }) => startedOrFailed(replication))),
    cancel: () => Promise.all(all.map(({ replication }) => replication.cancel())),
  }
}

/** Handles a full device. When the device has space again, everything is read and sent anew (RULES ST4). */
function troublesOf({ parts, calls, send, inFlight, stop$ }: Parts, refetch: () => void): StorageTroubles {
  const again$ = new Subject<void>()
  // RxDB never pushes a save that it could not read on the full device, so the push runs here (trap 23).
  const pushed$ = defer(() => inFlight.run(send)).pipe(retry(again(parts.random)))
  const pushing$ = again$.pipe(exhaustMap(() => pushed$))
  pushing$.pipe(takeUntil(stop$)).subscribe()
  return createStorageTrouble({
    stop$,
    report: parts.report,
    full: (isFull) => parts.onStorageFull?.(isFull),
    tryRoom: () => tryRoom(parts.bytes),
    again() {
      refetch()
      again$.next()
    },
    ticks: calls.ticks,
  })
}

/** The services that all pulls share. `startPull` adds those that each pull has for itself. */
interface PullStart extends Omit<PullServices, 'gate' | 'wake' | 'accepted' | 'answer'> {
  gate: () => PullGate
  troubles: StorageTroubles
}

/** Starts the pull that `create` returns. The returned `resync` makes RxDB call the pull's handler again. */
function startPull<R, P extends { handler(): Promise<WithDeleted<R>[]>; recheck(): void }>(
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
  const replication = replicatePull({ collection, identifier, pull, resync$, inFlight, troubles })
  return { pull, replication, resync }
}

/** The replication identifier of a collection, e.g. crm-emergency-report. Must never change (RULES trap 12). */
export const identifierOf = (collection: RecordCollection) =>
  `crm-${collection.replace(/s$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

function createPulls(start: PullStart, user: SyncParts['user']) {
  const { db } = start
  const staff = loginUserId(user)
  const requests = startPull(start, db.requests, 'crm-request', (own) => new RequestPull(own, staff))
  const reports = startPull(start, db.quickReports, 'crm-quick-report', (own) => new QuickReportPull(own))
  const { isReadingWindow: isUrgentOnly } = requests.pull
  const settings = { loginUserId: staff, supplierId: user.supplierId ?? '', isUrgentOnly }
  const records = (Object.keys(pullResources) as RecordCollection[]).map((name) => {
    const resource = pullResources[name]
    // The cast is needed because RxDB's collection type is invariant.
    const collection = db[name] as unknown as RecordPullParts<LocalRecord>['collection']
    // A view of a shared collection cannot be replicated, so the replication gets the whole collection.
    const stored = collectionOf<LocalRecord>(db, isSharedKind(name) ? sharedKinds[name].in : name)
    const create = (own: PullServices) => new RecordPull({ ...own, ...settings, name, collection, resource })
    return startPull(start, stored, identifierOf(name), create)
  })
  return { requests, reports, records }
}

/** Starts the reads that received documents make necessary, and those after a change was accepted. */
function followUp(
  { requests, reports, records }: ReturnType<typeof createPulls>,
  pacer: Pick<Pacer, 'wake$'>,
  { replan, resyncRecords }: Record<'replan' | 'resyncRecords', () => void>,
  db: SyncParts['db'],
  stop$: Observable<void>,
): void {
  const received = requests.replication.received$
  received.pipe(takeUntil(stop$)).subscribe((request) => {
    requests.pull.wrote(request)
    reports.pull.requestChanged(request)
  })
  const { isReadingWindow, windowRead$ } = requests.pull
  const pages$ = received.pipe(auditTime(RECONCILE_PAGES_MS), filter(isReadingWindow))
  pages$.pipe(takeUntil(stop$)).subscribe(reports.resync)
  // Reports and other records are read after all requests of the window, because the screen needs the requests first.
  const requests$ = merge(received, windowRead$).pipe(
    debounceTime(RECONCILE_AFTER_MS),
    filter(() => !isReadingWindow()),
  )
  requests$.pipe(takeUntil(stop$)).subscribe(() => {
    reports.resync()
    replan()
    // RxDB calls the handler before it has written the last documents, so a pull that found nothing is called again.
    requests.resync()
  })
  const after = (received$: Observable<unknown>, read: () => void) =>
    received$.pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS)).subscribe(read)
  after(reports.replication.received$, reports.resync)
  after(merge(...records.map(({ replication }) => replication.received$)), resyncRecords)
  after(accepted$(db), replan)
  pacer.wake$.subscribe(() => {
    requests.resync()
    resyncRecords()
  })
}

/** Measures the time from the start until the window is on the device, as `sync:initial` in the browser's User Timing. */
function measureInitial(replication: { awaitInitialReplication(): Promise<unknown> }): void {
  const start = performance.now()
  const measure = () => performance.measure('sync:initial', { start })
  replication.awaitInitialReplication().then(measure, () => undefined)
}
