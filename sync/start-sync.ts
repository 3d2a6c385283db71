/**
 * Starts everything that talks to the CRM for one user: the composition of the sync module. Only the tab that leads
 * replicates; the others only read and write their collections.
 */
import {
  auditTime,
  debounceTime,
  defer,
  exhaustMap,
  filter,
  merge,
  ReplaySubject,
  retry,
  skip,
  Subject,
  takeUntil,
  timer,
  type Observable,
} from 'rxjs'
import { loginUserId, type UserInfo } from '#schemas/session.ts'
import { createCleanUp } from './clean-up.ts'
import { beginTelling, type Connectivity } from './connectivity.ts'
import type { SyncDatabase } from './database.ts'
import { inLine } from './leadership.ts'
import { createGate, type PullGate } from './gate.ts'
import { inTime } from './in-time.ts'
import { createInFlight } from './in-flight.ts'
import { again, leaderDuties } from './leader-duties.ts'
import type { PhotoBytes, PhotoParents } from './photos/ports.ts'
import { startPhotos } from './photos/start-photos.ts'
import { createPacer } from './pacer.ts'
import { createQuickReportPull } from './pull-quick-reports.ts'
import { createRequestPull } from './pull-requests.ts'
import { pushWith, replicate } from './push.ts'
import { rxQueueStore } from './queue-store.ts'
import { refetchTriggers } from './refetch-triggers.ts'
import { resumeQueue } from './resume-queue.ts'
import type { Cause } from './rounds.ts'
import { createSender } from './sender.ts'
import { startRecords } from './start-records.ts'
import { createApi } from './transport/api.ts'
import { RANKS, type Circuit, type Rank } from './transport/circuit.ts'
import { wished, type Circuits } from './transport/circuits.ts'
import { endpointsOf, type SyncEnv } from './transport/endpoints.ts'
import { CALL_TIMEOUT_MS, createHttp } from './transport/http.ts'
import type { TabLocks } from './transport/hold.ts'
import { createSessionTokens, type SessionStore } from './transport/session-tokens.ts'
import type { TabChannel } from './transport/tab-channel.ts'
import { createStorageTrouble } from './storage-trouble.ts'
import { tidy } from './tidy.ts'
import { createTimeKeeper, type TimeParts } from './time-keeper.ts'
import { createWake } from './wake.ts'

/** So often what was run is counted, also where nothing asks. */
const TIME_EVERY_MS = 60_000
const TIDY_FIRST_MS = 5_000
const TIDY_EVERY_MS = 10 * 60_000

export interface SyncParts {
  db: SyncDatabase
  env: SyncEnv
  /** The page's origin, for endpoints that are paths. */
  origin: string
  fetch: typeof globalThis.fetch
  user: UserInfo
  sessions: SessionStore
  /** Whether this user's session is there and not expired. */
  sessionValid$: Observable<boolean>
  connectivity: Connectivity
  /** Over all tabs: whether the CRM and the file store may be called now. */
  circuits: Circuits
  visible$: Observable<boolean>
  locks: TabLocks
  /** A word between the tabs that have this database open. */
  tabs: TabChannel
  clock: { now(): number; stamp(): string }
  /** What is kept of the time that is borne out, and a clock that is never set (RULES EX3). */
  time: Omit<TimeParts, 'wall'>
  random: () => number
  /** Told of what the CRM sent that could not be used: goes to the error log. */
  report: (problem: string) => void
  /** The device has no room for what the CRM gives, or has some again (RULES ST4). */
  storageFull?: (isFull: boolean) => void
  /** The bytes of photos; without them no photo travels. */
  bytes?: PhotoBytes
  parents?: PhotoParents
  /** Time limit of one call, in milliseconds. */
  timeoutMs?: number
  /** How often a tab in line asks whether the leader is there. */
  askEveryMs?: number
  /** The tab stood still while it led, and another leads now. */
  robbed?: () => void
}

export interface Sync {
  stop(): Promise<void>
}

export function startSync(parts: SyncParts): Sync {
  const { db, locks, tabs: channel, visible$, askEveryMs, robbed } = parts
  const lead = () => startLeading(parts)
  return db.multiInstance
    ? inLine({ locks, channel, visible$, askEveryMs, robbed }, leadLock(db), lead)
    : lead()
}

const leadLock = ({ name }: SyncDatabase) => `genba-lead-${name}`

function startLeading(parts: SyncParts): Sync {
  const { db, env, origin, user, sessions, connectivity, circuits, locks, random, visible$, report } = parts
  const time = createTimeKeeper({ ...parts.time, wall: parts.clock.now })
  const clock = { ...parts.clock, borneOut: time.borneOut }
  const { rest, refresh, files } = endpointsOf(env, origin)
  const stop$ = new ReplaySubject<void>(1)
  const nudge$ = new Subject<void>()
  const stopped = new AbortController()
  const inFlight = createInFlight()
  const wire = createHttp({
    fetch: parts.fetch,
    securityKey: env.securityKey,
    stopped: stopped.signal,
    // the others may be elsewhere, and need not say the time
    heard: (url, date) => url.startsWith(`${rest}/`) && time.answered(date),
    ...(parts.timeoutMs && { timeoutMs: parts.timeoutMs }),
  })
  const http = circuits.crm.guard(wire, { stopped: stopped.signal })
  const tokens = createSessionTokens({ store: sessions, http, locks, refreshUrl: refresh, userId: user.id })
  const api = createApi({
    http,
    tokens,
    rest,
    now: clock.now,
    begin: beginTelling(connectivity, circuits.crm),
  })
  const staff = loginUserId(user)
  const store = rxQueueStore(db)
  nudge$.pipe(takeUntil(stop$)).subscribe(() => wished(circuits))
  const hurry$ = merge(nudge$, connectivity.cameOnline$)
  const gateOf = (circuit: Circuit, rank: Rank): PullGate =>
    createGate({
      mayTry$: connectivity.mayTry$,
      sessionValid$: parts.sessionValid$,
      hurry$,
      stop$,
      circuit,
      rank,
      random,
    })
  const gate = () => gateOf(circuits.crm, RANKS.pull)

  const resync = { requests: new Subject<'RESYNC'>(), reports: new Subject<'RESYNC'>() }
  const pacer = createPacer({ visible$, stop$, random, now: clock.now })
  const reading = { db, api, clock, report, random, inFlight, stop$ }
  const requests = createRequestPull({
    ...reading,
    gate: gate(),
    pacer,
    supplierStaffId: staff,
    wake: () => resync.requests.next('RESYNC'),
  })
  const reports = createQuickReportPull({
    ...reading,
    gate: gate(),
    wake: () => resync.reports.next('RESYNC'),
  })
  const elapsed = () => performance.now()
  const limitMs = parts.timeoutMs ?? CALL_TIMEOUT_MS
  const sender = createSender({
    store,
    api,
    locks,
    clock: { ...clock, now: time.ofSaves },
    elapsed,
    limitMs,
    wake: createWake({ store, inFlight, stop$, report }),
    userId: user.id,
    loginUserId: staff,
  })
  const push = pushWith(
    { drain: () => inTime(time, api, staff, sender.drain) },
    gateOf(circuits.crm, RANKS.push),
  )

  const refetchReports = () => {
    reports.refetch()
    resync.reports.next('RESYNC')
  }
  const trouble = createStorageTrouble({
    stop$,
    report,
    full: (isFull) => parts.storageFull?.(isFull),
    again: () => refetch('asked'),
  })
  const replications = [
    replicate({
      collection: db.requests,
      identifier: 'crm-request',
      pull: requests.handler,
      ring: requests.ring,
      resync$: resync.requests,
      inFlight,
      trouble,
    }),
    replicate({
      collection: db.quickReports,
      identifier: 'crm-quick-report',
      pull: reports.handler,
      ring: reports.ring,
      resync$: resync.reports,
      push,
      missed: (keys) => {
        reports.missed(keys)
        resync.reports.next('RESYNC')
      },
      inFlight,
      trouble,
    }),
  ] as const

  const records = startRecords({
    db,
    ledger: store.ledger,
    api,
    gate,
    clock,
    loginUserId: staff,
    supplierId: user.supplierId ?? '',
    report,
    push,
    inFlight,
    trouble,
    isHeld: requests.isReadingWindow,
    pacer,
    random,
    stop$,
  })

  const refetch = (cause: Cause) => {
    const asked = cause === 'asked'
    pacer.hurry(asked)
    requests.refetch(cause)
    refetchReports()
    records.refetch(asked)
    resync.requests.next('RESYNC')
  }
  // from the very start: the signal may come back before the replications run
  const back$ = merge(connectivity.online$.pipe(skip(1), filter(Boolean)), circuits.crm.recovered$)
  back$.pipe(takeUntil(stop$)).subscribe(() => {
    pacer.pause()
    requests.recovered()
  })
  refetchTriggers(back$, visible$, random).pipe(takeUntil(stop$)).subscribe(refetch)
  const [requestReplication, reportReplication] = replications
  measureInitial(requestReplication)
  const { received$ } = requestReplication
  received$.pipe(takeUntil(stop$)).subscribe(reports.look)
  const pages$ = received$.pipe(auditTime(RECONCILE_PAGES_MS), filter(requests.isReadingWindow))
  pages$.pipe(takeUntil(stop$)).subscribe(() => resync.reports.next('RESYNC'))
  // what hangs on requests comes after the pages that say what is to be seen first
  const requests$ = merge(received$, requests.windowRead$).pipe(
    debounceTime(RECONCILE_AFTER_MS),
    filter(() => !requests.isReadingWindow()),
  )
  requests$.pipe(takeUntil(stop$)).subscribe(() => {
    resync.reports.next('RESYNC')
    records.look()
    // RxDB asks for more before it has written what it got: a pull that found nothing due in the device looks again
    resync.requests.next('RESYNC')
  })
  reportReplication.received$
    .pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS))
    .subscribe(() => resync.reports.next('RESYNC'))

  records.received$.pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS)).subscribe(records.goOn)
  pacer.wake$.subscribe(() => {
    resync.requests.next('RESYNC')
    records.goOn()
  })
  records.sent$.pipe(takeUntil(stop$), debounceTime(RECONCILE_AFTER_MS)).subscribe(records.look)

  timer(0, TIME_EVERY_MS).pipe(takeUntil(stop$)).subscribe(time.borneOut)

  void Promise.all([reportReplication.startPromise, records.started]).then(() => {
    defer(() => inFlight.run(() => resumeQueue(store, locks, time.ofSaves)))
      .pipe(retry(again(random)), takeUntil(stop$))
      .subscribe()
    if (parts.bytes) {
      const { bytes, parents } = parts
      const way = {
        http: circuits.files.guard(wire, { stopped: stopped.signal }),
        url: files,
        user,
        sessions,
        locks,
        now: time.ofSaves,
        elapsed,
        limitMs,
        random,
        gate: (rank: Rank) => gateOf(circuits.files, rank),
        nudge$,
        stop$,
        inFlight,
      }
      startPhotos({ db, store, bytes, parents, report, ...way })
    }
    const clean = createCleanUp({
      db,
      replications: [...replications, ...records.replications],
      now: Date.now,
    })
    timer(TIDY_FIRST_MS, TIDY_EVERY_MS)
      .pipe(
        exhaustMap(() =>
          inFlight
            .run(async () => {
              await tidy({ db, store, bytes: parts.bytes, now: time.ofSaves() })
              await clean()
            })
            .catch((problem: unknown) => report(String(problem))),
        ),
        takeUntil(stop$),
      )
      .subscribe()
    const pull = () => Object.values(resync).forEach((each) => each.next('RESYNC'))
    const own = { store, locks, now: clock.now, random, inFlight, stop$ }
    leaderDuties({ db, nudge$, refresh: () => refetch('asked'), pull, look: records.look, ...own })
  })

  return {
    async stop() {
      const cancelled = Promise.all([
        ...replications.map((replication) => replication.cancel()),
        records.cancel(),
      ])
      stop$.next()
      // a call under way ends as one whose outcome is unknown: it is read back at the next start
      stopped.abort()
      await cancelled
      await inFlight.ended()
    },
  }
}

/** `sync:initial`: from the start until the window was read and is on the device; a tab that never leads has none. */
function measureInitial(replication: { awaitInitialReplication(): Promise<unknown> }): void {
  const start = performance.now()
  replication.awaitInitialReplication().then(
    () => performance.measure('sync:initial', { start }),
    () => undefined,
  )
}

/** RxDB says of each document that it was received; one look afterwards is enough. */
const RECONCILE_AFTER_MS = 20
/** While the pages of the window come. */
const RECONCILE_PAGES_MS = 1_000
