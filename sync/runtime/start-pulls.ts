/**
 * Starts the replications of one user and connects them (RULES PL4, PL5):
 *
 *     trigger ─→ a round of everything
 *     a request was written ─→ its report and its lists are read
 *     the window was read ─→ other records may be read
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
import type { InFlight } from '../lib/in-flight.ts'
import { tryRoom } from '#sync/photos/photo-store.ts'
import { createPacer, type Pacer } from '#sync/scheduler/prefetch.ts'
import { createQuickReportPull } from '#sync/pull/records/pull-quick-reports.ts'
import { createRequestPull, type RoundStep } from '#sync/pull/requests/pull-requests.ts'
import { startedOrFailed } from '#sync/changes/replications.ts'
import { refetchTriggers, type Cause } from '#sync/pull/requests/rounds.ts'
import type { Calls } from './start-calls.ts'
import { startPull, startRecords, type PullStart } from './start-records.ts'
import { createStorageTrouble, type StorageTroubles } from '../storage/storage-trouble.ts'
import type { SyncParts } from './sync-parts.ts'

/** RxDB emits each received document; the reads that follow from them begin this long after the last one. */
const RECONCILE_AFTER_MS = 20
/** Interval of reading reports while the window's pages arrive. */
const RECONCILE_PAGES_MS = 1_000

interface Parts {
  parts: SyncParts
  calls: Calls
  /** Sends what is unsent. */
  send: () => Promise<void>
  inFlight: InFlight
  stop$: Observable<void>
}

/** Starts all pulls. */
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
  // Subscribed at once, because the signal may return before the replications run.
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
    /** Makes the pulls of requests and reports check what is to be read. */
    pull() {
      requests.resync()
      reports.resync()
    },
    replan,
    replications: all.map(({ replication }) => replication),
    /** Resolves when all pulls but that of requests have started, or were refused by a full device. */
    started: Promise.all(dependents.map(({ replication }) => startedOrFailed(replication))),
    cancel: () => Promise.all(all.map(({ replication }) => replication.cancel())),
  }
}

/** Handles a full device: after the wait everything is read again, and unsent work is sent (RULES ST4). */
function troublesOf({ parts, calls, send, inFlight, stop$ }: Parts, refetch: () => void): StorageTroubles {
  const again$ = new Subject<void>()
  // If RxDB could not look up a save, it does not push it again before the next write (trap 23).
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
  /** Plans the lists of records again. */
  replan: () => void
  /** Emits when a change was accepted. */
  sent$: Observable<unknown>
  stop$: Observable<void>
}

/** Starts the reads that received documents require. */
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
  // Records that depend on requests wait for the pages that the screen needs first.
  const requests$ = merge(received, windowRead$).pipe(
    debounceTime(RECONCILE_AFTER_MS),
    filter(() => !isReadingWindow()),
  )
  requests$.pipe(takeUntil(stop$)).subscribe(() => {
    reports.resync()
    replan()
    // RxDB calls the handler before it has written the documents that it got. So a pull that found nothing to read on
    // the device is called again.
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

// User Timing measures, visible in any browser's tools.

/** `sync:initial`: from the start until the window is on the device. A tab that never leads has none. */
function measureInitial(replication: { awaitInitialReplication(): Promise<unknown> }): void {
  const start = performance.now()
  replication.awaitInitialReplication().then(
    () => performance.measure('sync:initial', { start }),
    () => undefined,
  )
}

/** `sync:round`: duration of the last round without retried pages; an outage does not count as slowness. */
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
