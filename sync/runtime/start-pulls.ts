/**
 * Starts the replications of one user and connects them (RULES PL4, PL5). After a request was written, its report and
 * lists are read. After the window was read, other records may be read. A trigger starts a new round of everything.
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
import { createPacer } from '#sync/scheduler/prefetch.ts'
import { createQuickReportPull } from '#sync/pull/records/pull-quick-reports.ts'
import { createRequestPull, type RoundStep } from '#sync/pull/requests/pull-requests.ts'
import { startedOrFailed, replicatePull } from '#sync/changes/replications.ts'
import { refetchTriggers, type Cause } from '#sync/pull/requests/rounds.ts'
import type { Calls } from './start-calls.ts'
import { startRecords } from './start-records.ts'
import { asStored } from '#sync/pull/records/local-records.ts'
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
  const { parts, stop$ } = own
  const troubles = troublesOf(own, () => {
    requests.refused()
    refetch('asked')
  })
  const pulls = createPulls(own)
  const { requests, reports, resync, pacer } = pulls
  const { requestReplication, reportReplication } = replicateVisits(own, pulls, troubles)
  const records = startRecords({
    ...pulls.reading,
    gate: () => own.calls.gate(),
    loginUserId: pulls.staff,
    supplierId: parts.user.supplierId ?? '',
    troubles,
    isUrgentOnly: requests.isReadingWindow,
  })
  const refetch = (cause: Cause) => {
    const isRequested = cause === 'asked'
    pacer.hurry(isRequested)
    requests.refetch(cause)
    reports.refetch()
    resync.reports.next('RESYNC')
    records.refetch(isRequested)
    resync.requests.next('RESYNC')
  }
  // From the very start, because the signal may return before the replications run.
  const online$ = parts.connectivity.online$.pipe(skip(1), filter(Boolean))
  const back$ = merge(online$, parts.schedulers.crm.recovered$)
  back$.pipe(takeUntil(stop$)).subscribe(() => {
    pacer.pause()
    requests.recovered()
  })
  refetchTriggers(back$, parts.visible$, parts.random).pipe(takeUntil(stop$)).subscribe(refetch)
  measureInitial(requestReplication)
  measureRounds(requests.round$.pipe(takeUntil(stop$)))
  const replications = [requestReplication, reportReplication] as const
  const received = { requests: requestReplication.received$, reports: reportReplication.received$ }
  const sent$ = parts.db.changes.$.pipe(filter(({ documentData }) => documentData.state === 'accepted'))
  followUp({ pulls, received, records, sent$, stop$ })
  return {
    refetch,
    troubles,
    pull: () => Object.values(resync).forEach((each) => each.next('RESYNC')),
    replan: records.replan,
    replications: [...replications, ...records.replications],
    started: Promise.all([startedOrFailed(reportReplication), records.started]),
    cancel: () => Promise.all([...replications.map((one) => one.cancel()), records.cancel()]),
  }
}

type Pulls = ReturnType<typeof createPulls>

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

/** The replications of requests and their reports. */
function replicateVisits(
  { parts: { db }, inFlight }: Parts,
  { requests, reports, resync }: Pulls,
  troubles: StorageTroubles,
) {
  const requestReplication = replicatePull({
    collection: db.requests,
    identifier: 'crm-request',
    pull: requests.handler,
    recheck: requests.recheck,
    resync$: resync.requests,
    inFlight,
    troubles,
  })
  const reportReplication = replicatePull({
    collection: db.quickReports,
    identifier: 'crm-quick-report',
    pull: async () => (await reports.handler()).map(asStored),
    recheck: reports.recheck,
    resync$: resync.reports,
    inFlight,
    troubles,
  })
  return { requestReplication, reportReplication }
}

/** The pulls of requests and their reports. */
function createPulls({ parts, calls, inFlight, stop$ }: Parts) {
  const { db, report, random, user, visible$ } = parts
  const staff = loginUserId(user)
  const resync = { requests: new Subject<'RESYNC'>(), reports: new Subject<'RESYNC'>() }
  const { api, clock, ticks } = calls
  const pacer = createPacer({ visible$, stop$, random, now: clock.now })
  const reading = { db, api, clock, report, random, ticks, inFlight, stop$, pacer }
  const services = (resync$: Subject<'RESYNC'>) => ({
    ...reading,
    gate: calls.gate(),
    wake: () => resync$.next('RESYNC'),
  })
  const requests = createRequestPull(services(resync.requests), staff)
  const reports = createQuickReportPull(services(resync.reports))
  return { requests, reports, resync, reading, pacer, staff }
}

interface Following {
  pulls: Pick<Pulls, 'requests' | 'reports' | 'resync' | 'pacer'>
  received: { requests: Observable<Received>; reports: Observable<unknown> }
  records: ReturnType<typeof startRecords>
  /** Emits when a change was accepted. */
  sent$: Observable<unknown>
  stop$: Observable<void>
}
type Received = Parameters<ReturnType<typeof createQuickReportPull>['requestChanged']>[0]

/** Starts the reads that received documents require. */
function followUp({
  pulls: { requests, reports, resync, pacer },
  received,
  records,
  sent$,
  stop$,
}: Following): void {
  received.requests.pipe(takeUntil(stop$)).subscribe((request) => {
    requests.wrote(request)
    reports.requestChanged(request)
  })
  const pages$ = received.requests.pipe(auditTime(RECONCILE_PAGES_MS), filter(requests.isReadingWindow))
  pages$.pipe(takeUntil(stop$)).subscribe(() => resync.reports.next('RESYNC'))
  // Records that depend on requests wait for the pages that the screen needs first.
  const requests$ = merge(received.requests, requests.windowRead$).pipe(
    debounceTime(RECONCILE_AFTER_MS),
    filter(() => !requests.isReadingWindow()),
  )
  requests$.pipe(takeUntil(stop$)).subscribe(() => {
    resync.reports.next('RESYNC')
    records.replan()
    // RxDB calls the handler before it has written the documents that it got. So a pull that found nothing to read on
    // the device is asked again.
    resync.requests.next('RESYNC')
  })
  received.reports
    .pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS))
    .subscribe(() => resync.reports.next('RESYNC'))
  records.received$.pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS)).subscribe(records.goOn)
  pacer.wake$.subscribe(() => {
    resync.requests.next('RESYNC')
    records.goOn()
  })
  sent$.pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS)).subscribe(records.replan)
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
