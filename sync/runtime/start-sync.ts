/**
 * Starts everything that talks to the CRM for one user. Only the leading tab replicates; other tabs only read and
 * write their collections.
 */
import {
  exhaustMap,
  firstValueFrom,
  map,
  merge,
  ReplaySubject,
  takeUntil,
  timer,
  type Observable,
  filter,
  type Subject,
} from 'rxjs'
import { loginUserId } from '#schemas/device/login-user-id.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { StorageTroubles } from '../storage/storage-trouble.ts'
import {
  createInFlight,
  type InFlight,
  startedOrFailed,
  isDone,
  replicatePush,
} from '../changes/replications.ts'
import { anyInSight$, inLine } from '../leadership/leadership.ts'
import { startPhotos } from '../photos/start-photos.ts'
import { rxQueueStore, type QueueStore } from '#sync/changes/change-store.ts'
import type { PushHandler } from '#sync/changes/push-handler.ts'
import { createAgeCheck, createSender } from '#sync/changes/sender.ts'
import { transitions$ } from '#sync/changes/transitions.ts'
import { startCalls, type Calls } from './start-calls.ts'
import { startPulls } from './start-pulls.ts'
import type { SyncParts } from './sync-parts.ts'
import { createCleanUp, type Replicating, purge } from '../retention/expiry.ts'
import { RANKS } from '#sync/scheduler/schedule.ts'
import { CALL_TIMEOUT_MS } from '../transport/http.ts'
import { StateChanged } from '#sync/changes/send-adapter.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import { openFetchRequests$ } from '#sync/storage/fetch-requests.ts'

const STORE_TIME_EVERY_MS = 60_000
const TIDY_FIRST_MS = 5_000
const TIDY_EVERY_MS = 10 * 60_000
/**
 * Time of the second removal of deleted documents after the start. The app is often open for a few minutes only, so
 * the interval of ten minutes is too long (EX4).
 */
const CLEAN_AGAIN_MS = 80_000

export interface Sync {
  stop(): Promise<void>
}

/** Starts sync. With several tabs sync begins once this tab leads. */
export function startSync(parts: SyncParts): Sync {
  const { db, locks, tabs: channel, visible$, askEveryMs, leadershipLost } = parts
  if (!db.multiInstance) return startLeading(parts)
  const line = { locks, channel, visible$, askEveryMs, leadershipLost }
  const lead = () => startLeading({ ...parts, visible$: anyInSight$(line) })
  return inLine(line, `genba-lead-${db.name}`, lead)
}

interface Leading {
  parts: SyncParts
  calls: Calls
  store: QueueStore
  inFlight: InFlight
  stop$: Observable<void>
}

function startLeading(parts: SyncParts): Sync {
  const { db, report } = parts
  const stop$ = new ReplaySubject<void>(1)
  const inFlight = createInFlight()
  const calls = startCalls(parts, stop$)
  const { time, nudge$ } = calls
  const store = rxQueueStore(db, { report })
  if (parts.onTransition) transitions$(db).pipe(takeUntil(stop$)).subscribe(parts.onTransition)
  const leading: Leading = { parts, calls, store, inFlight, stop$ }
  const handler = createHandler(leading)
  const pulls = startPulls({ ...leading, send: () => handler.push([]) })
  const { troubles } = pulls
  const push = replicatePush({
    collection: db.changes,
    identifier: 'crm-changes',
    isDone,
    refOf: (change) => change,
    handler,
    inFlight,
    troubles,
  })
  timer(0, STORE_TIME_EVERY_MS).pipe(takeUntil(stop$)).subscribe(time.expiryNow)

  void Promise.all([pulls.started, startedOrFailed(push)]).then(() => {
    handler.wake(0)
    removeOldData(leading, [...pulls.replications, push, ...startPhotoPush(leading, troubles)])
    const { pull, replan } = pulls
    leaderDuties({ db, nudge$, stop$, refresh: () => pulls.refetch('user'), pull, replan })
  })

  return {
    async stop() {
      const cancelled = Promise.all([pulls.cancel(), push.cancel()])
      stop$.next()
      calls.abort()
      await cancelled
      await inFlight.ended()
    },
  }
}

/** The settings that the push handlers of changes and of photos share. */
function handlerParts({ parts, calls, store, stop$ }: Leading) {
  const { locks, user, report } = parts
  const { api, time, ticks } = calls
  const stopped$ = stop$.pipe(
    map(() => {
      throw new GateClosed('sync stopped')
    }),
  )
  return {
    store,
    locks,
    limitMs: parts.timeoutMs ?? CALL_TIMEOUT_MS,
    elapsed: ticks.now,
    wait: async (ms: number) => void (await firstValueFrom(merge(ticks.after$(ms), stopped$))),
    failed(error: unknown) {
      // `StateChanged` means that another tab has written the queue first. The queue is then simply processed again.
      if (!(error instanceof GateClosed) && !(error instanceof StateChanged)) report(String(error))
    },
    ageCheck: createAgeCheck(time, api, loginUserId(user)),
  }
}

function createHandler(leading: Leading): PushHandler {
  const { api, time, clock, gate } = leading.calls
  const { user } = leading.parts
  return createSender({
    ...handlerParts(leading),
    api,
    clock: { ...clock, now: time.saveNow },
    gate: gate(RANKS.push),
    userId: user.id,
    loginUserId: loginUserId(user),
  })
}

/** Starts the push of photos; [] on a device that stores no photos. */
function startPhotoPush(leading: Leading, troubles: StorageTroubles): Replicating[] {
  const { parts, calls, inFlight, stop$ } = leading
  const { db, bytes, parents, user, sessions, random, report } = parts
  if (!bytes) return []
  const push = startPhotos({
    ...calls.files,
    ...handlerParts(leading),
    db,
    bytes,
    parents,
    user,
    sessions,
    now: calls.time.saveNow,
    ticks: calls.ticks,
    random,
    nudge$: calls.nudge$,
    stop$,
    report,
    inFlight,
    troubles,
  })
  return [push]
}

/** Removes expired data soon after the start and then every ten minutes. */
function removeOldData(
  { parts, calls: { time }, store, inFlight, stop$ }: Leading,
  replications: readonly Replicating[],
): void {
  const { db, bytes, answers, report, clock } = parts
  const clean = createCleanUp({ db, replications, now: Date.now })
  const round = async () => {
    await purge({ db, store, bytes, now: time.saveNow(), typedBefore: time.dayOldBefore() })
    await answers?.expire(clock.now())
    await clean()
  }
  merge(timer(TIDY_FIRST_MS, TIDY_EVERY_MS), timer(CLEAN_AGAIN_MS))
    .pipe(
      exhaustMap(() => inFlight.run(round).catch((problem: unknown) => report(String(problem)))),
      takeUntil(stop$),
    )
    .subscribe()
}

interface Duties {
  db: SyncDatabase
  stop$: Observable<void>
  nudge$: Subject<void>
  /** Reads everything again at the user's request. */
  refresh: () => void
  /** Calls the pull handlers of requests and reports again. */
  pull: () => void
  /** Makes the pulls of records decide again which lists to read. */
  replan: () => void
}

/**
 * Starts the two tasks that only the leading tab has: it reads what screens have ordered (`fetch-requests.ts`), and
 * it applies the user's 再送 and 破棄.
 */
export function leaderDuties({ db, stop$, nudge$, refresh, pull, replan }: Duties) {
  // A new 再送 or 破棄 of the user (`wish`) lets one call begin at once (RULES OC10). Other writes of the document do
  // not.
  const newWishes$ = merge(db.changes.$, db.photos.$).pipe(
    filter(
      ({ documentData: { wish }, previousDocumentData: before }) => wish !== 'none' && before?.wish !== wish,
    ),
  )
  newWishes$.pipe(takeUntil(stop$)).subscribe(() => nudge$.next())
  let refreshedFor = ''
  openFetchRequests$(db)
    .pipe(takeUntil(stop$))
    .subscribe((open) => {
      if (open.length === 0) return
      const latest = open.find(({ kind }) => kind === 'refresh')
      if (latest && latest.askedAt !== refreshedFor) {
        refreshedFor = latest.askedAt
        nudge$.next()
        refresh()
      }
      if (open.some(({ kind, resource }) => kind === 'list' || (kind === 'detail' && resource))) replan()
      pull()
    })
}
