/**
 * Starts the pulls, which read one user's data from the CRM. The end of one read starts others (RULES PL4, PL5):
 *
 *     start, timer, 更新, connection restored ─→ everything that is outdated is read
 *     a request was stored on the device ─→ its report and its lists of records are read
 *     all requests of the window (days on the device) were read ─→ records of other collections may be read
 */
import {
  auditTime,
  debounceTime,
  defer,
  exhaustMap,
  filter,
  merge,
  retry,
  skip,
  Subject,
  takeUntil,
  type Observable,
} from 'rxjs'
import { loginUserId } from '#schemas/device/login-user-id.ts'
import { again } from '../lib/backoff.ts'
import { type InFlight, startedOrFailed } from '../changes/replications.ts'
import { tryRoom } from '#sync/photos/photo-store.ts'
import { createPacer, type Pacer } from '#sync/scheduler/prefetch.ts'
import { createQuickReportPull } from '#sync/pull/records/pull-quick-reports.ts'
import { createRequestPull, type RoundStep } from '#sync/pull/requests/pull-requests.ts'
import { refetchTriggers, type Cause } from '#sync/pull/requests/rounds.ts'
import type { Calls } from './start-calls.ts'
import { startPull, startRecords, type PullStart } from './start-records.ts'
import { createStorageTrouble, type StorageTroubles } from '../storage/storage-trouble.ts'
import type { SyncParts } from './sync-parts.ts'

/** Milliseconds without a further received document before the reads that depend on received documents. */
const RECONCILE_AFTER_MS = 20
/** Milliseconds between two reads of reports while pages of the request list arrive. */
const RECONCILE_PAGES_MS = 1_000

interface Parts {
  parts: SyncParts
  calls: Calls
  send: () => Promise<void>
  inFlight: InFlight
  stop$: Observable<void>
}

export function startPulls(own: Parts) {
  const { parts, calls, inFlight, stop$ } = own
  const { db, report, random, user, visible$ } = parts
  const { api, clock, ticks, gate } = calls
  const pacer = createPacer({ visible$, stop$, random, now: clock.now })
  const troubles = troublesOf(own, () => {
    requests.pull.refused()
    refetch('user')
  })
  const services = { db, api, clock, report, random, ticks, inFlight, stop$, pacer }
  const pulls = createPulls({ ...services, gate, troubles }, user)
  const { requests, reports, records } = pulls
  const dependents = [reports, ...records]
  const all = [...dependents, requests]
  const refetch = (cause: Cause) => {
    const isRequested = cause === 'user'
    pacer.hurry(isRequested)
    requests.pull.refetch(cause)
    reports.pull.refetch()
    for (const { pull } of records) pull.refetch(isRequested)
    for (const { resync } of all) resync()
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
  measureRounds(requests.pull.round$.pipe(takeUntil(stop$)))
  const replan = () => {
    for (const { pull } of records) pull.replan()
    for (const { resync } of records) resync()
  }
  const sent$ = db.changes.$.pipe(filter(({ documentData }) => documentData.state === 'accepted'))
  followUp(pulls, { pacer, replan, sent$, stop$ })
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
  // If a full device keeps RxDB from reading a save, RxDB does not push that save later (trap 23). So all unsent work
  // is sent here.
  const pushed$ = defer(() => inFlight.run(send)).pipe(retry(again(parts.random)))
  again$
    .pipe(
      exhaustMap(() => pushed$),
      takeUntil(stop$),
    )
    .subscribe()
  return createStorageTrouble({
    stop$,
    report: parts.report,
    full: (isFull) => parts.onStorageFull?.(isFull),
    tryRoom: async () => parts.bytes && tryRoom(parts.bytes),
    again() {
      refetch()
      again$.next()
    },
    ticks: calls.ticks,
  })
}

type Pulls = ReturnType<typeof createPulls>

function createPulls(start: PullStart, user: SyncParts['user']) {
  const { requests: collection, quickReports } = start.db
  const staff = loginUserId(user)
  const requests = startPull(start, collection, 'crm-request', (own) => createRequestPull(own, staff))
  const reports = startPull(start, quickReports, 'crm-quick-report', createQuickReportPull)
  const records = startRecords(start, {
    loginUserId: staff,
    supplierId: user.supplierId ?? '',
    isUrgentOnly: requests.pull.isReadingWindow,
  })
  return { requests, reports, records }
}

interface Signals {
  pacer: Pick<Pacer, 'wake$'>
  /** Makes the pulls of records decide again which lists to read. */
  replan: () => void
  /** Emits when the CRM has accepted a change. */
  sent$: Observable<unknown>
  stop$: Observable<void>
}

/** Starts the reads that received documents make necessary, such as the report of a new request. */
function followUp({ requests, reports, records }: Pulls, { pacer, replan, sent$, stop$ }: Signals): void {
  const goOn = () => {
    for (const { resync } of records) resync()
  }
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
    // RxDB calls the handler before it has written the last documents. A pull that therefore found nothing to read
    // must be called again.
    requests.resync()
  })
  const after = (received$: Observable<unknown>, read: () => void) =>
    received$.pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS)).subscribe(read)
  after(reports.replication.received$, reports.resync)
  after(merge(...records.map(({ replication }) => replication.received$)), goOn)
  after(sent$, replan)
  pacer.wake$.subscribe(() => {
    requests.resync()
    goOn()
  })
}

/**
 * Measures the time from the start until all requests of the window are on the device, as `sync:initial` in the
 * browser's User Timing. A tab that never leads has no such measure.
 */
function measureInitial(replication: { awaitInitialReplication(): Promise<unknown> }): void {
  const start = performance.now()
  replication.awaitInitialReplication().then(
    () => performance.measure('sync:initial', { start }),
    () => undefined,
  )
}

/**
 * Records a User Timing measure `sync:round`: the time in which the pages of all outdated requests were read. A round
 * with a retried page is not measured, so that an outage does not count.
 */
function measureRounds(round$: Observable<RoundStep>): void {
  let start: number | null = null
  round$.subscribe((step) => {
    if (step === 'read' && start !== null) {
      performance.clearMeasures('sync:round')
      performance.measure('sync:round', { start })
    }
    start = step === 'begun' ? performance.now() : null
  })
}
