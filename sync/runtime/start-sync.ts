/**
 * Starts everything that talks to the CRM for one user: the composition of the sync module. Only the leader
 * tab replicates; the others only read and write their collections.
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
import { createInFlight, type InFlight } from '../lib/in-flight.ts'
import { anyInSight$, inLine } from '../leadership/leadership.ts'
import { startPhotos } from '../photos/start-photos.ts'
import { startedOrFailed, isDone, replicatePush } from '#sync/changes/replications.ts'
import { rxQueueStore, type QueueStore } from '#sync/changes/change-store.ts'
import type { PushHandler } from '#sync/changes/push-handler.ts'
import { createAgeCheck, createSender } from '#sync/changes/sender.ts'
import { transitions$ } from '#sync/changes/transitions.ts'
import { startCalls, type Calls } from './start-calls.ts'
import { startPulls } from './start-pulls.ts'
import type { SyncParts } from './sync-parts.ts'
import { createCleanUp, type Replicating, purge } from '../retention/purge.ts'
import { RANKS } from '#sync/scheduler/schedule.ts'
import { CALL_TIMEOUT_MS } from '../transport/http.ts'
import { StateChanged } from '#sync/changes/send-states.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import { openFetchRequests$ } from '#sync/storage/interests.ts'

/** Interval for storing the running time, even if nothing else reads the clock. */
const TIME_EVERY_MS = 60_000
const TIDY_FIRST_MS = 5_000
const TIDY_EVERY_MS = 10 * 60_000
/**
 * Data that expired at the start leaves the storage in the same visit (EX4), because many visits last only a
 * few minutes.
 */
const CLEAN_AGAIN_MS = 80_000

export interface Sync {
  stop(): Promise<void>
}

/** Starts the sync, and waits for the lead if there are several tabs. */
export function startSync(parts: SyncParts): Sync {
  const { db, locks, tabs: channel, visible$, askEveryMs, leadershipLost } = parts
  if (!db.multiInstance) return startLeading(parts)
  const line = { locks, channel, visible$, askEveryMs, leadershipLost }
  const lead = () => startLeading({ ...parts, visible$: anyInSight$(line) })
  return inLine(line, leadLock(db), lead)
}

const leadLock = ({ name }: SyncDatabase) => `genba-lead-${name}`

/** The parts of the leader tab's sync. */
interface Leading {
  parts: SyncParts
  calls: Calls
  store: QueueStore
  inFlight: InFlight
  stop$: Observable<void>
}

const limitOf = ({ timeoutMs }: SyncParts) => timeoutMs ?? CALL_TIMEOUT_MS

function startLeading(parts: SyncParts): Sync {
  const { db, report } = parts
  const stop$ = new ReplaySubject<void>(1)
  const inFlight = createInFlight()
  const calls = startCalls(parts, stop$)
  const { time, nudge$ } = calls
  const store = rxQueueStore(db, { report })
  if (parts.onTransition) transitions$(db).pipe(takeUntil(stop$)).subscribe(parts.onTransition)
  const leading: Leading = { parts, calls, store, inFlight, stop$ }
  const handler = senderOf(leading)
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
  timer(0, TIME_EVERY_MS).pipe(takeUntil(stop$)).subscribe(time.expiryNow)

  void Promise.all([pulls.started, startedOrFailed(push)]).then(() => {
    handler.wake(0)
    keepTidy(leading, [...pulls.replications, push, ...movePhotos(leading, troubles)])
    const { pull, replan } = pulls
    leaderDuties({ db, nudge$, stop$, refresh: () => pulls.refetch('asked'), pull, replan })
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

const sendFailed = (report: SyncParts['report']) => (error: unknown) => {
  // `StateChanged`: another tab has changed the queue first, and the rest of it is processed again. Not an error.
  if (!(error instanceof GateClosed) && !(error instanceof StateChanged)) report(String(error))
}

/** The parts that the handlers of both pushes (changes, photos) share. */
function handling({ parts, calls, store, stop$ }: Leading) {
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
    limitMs: limitOf(parts),
    elapsed: ticks.now,
    wait: async (ms: number) => void (await firstValueFrom(merge(ticks.after$(ms), stopped$))),
    failed: sendFailed(report),
    ageCheck: createAgeCheck(time, api, loginUserId(user)),
  }
}

/** Creates the handler of the changes that RxDB's push delivers. */
function senderOf(leading: Leading): PushHandler {
  const { parts, calls } = leading
  const { user } = parts
  const { api, time, clock } = calls
  return createSender({
    ...handling(leading),
    api,
    clock: { ...clock, now: time.saveNow },
    gate: calls.gate(RANKS.push),
    userId: user.id,
    loginUserId: loginUserId(user),
  })
}

function movePhotos(leading: Leading, troubles: StorageTroubles): Replicating[] {
  const { parts, calls, inFlight, stop$ } = leading
  const { db, bytes, parents, user, sessions, random, report } = parts
  if (!bytes) return []
  const push = startPhotos({
    ...calls.files,
    ...handling(leading),
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

function keepTidy(
  { parts, calls, store, inFlight, stop$ }: Leading,
  replications: readonly Replicating[],
): void {
  const { db, bytes, answers, report, clock } = parts
  const clean = createCleanUp({ db, replications, now: Date.now })
  const round = async () => {
    const { time } = calls
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
  /** Reads everything again, at the user's request. */
  refresh: () => void
  pull: () => void
  replan: () => void
}

/** What only the leader does: it answers the screens' fetch requests. */
export function leaderDuties({ db, stop$, nudge$, refresh, pull, replan }: Duties) {
  // The user's request lets one call begin, even if the change is written again before the request is applied
  // (RULES OC10).
  const userRequests$ = merge(db.changes.$, db.photos.$).pipe(
    filter(
      ({ documentData: { wish }, previousDocumentData: before }) => wish !== 'none' && before?.wish !== wish,
    ),
  )
  userRequests$.pipe(takeUntil(stop$)).subscribe(() => nudge$.next())
  let refreshedFor = ''
  openFetchRequests$(db)
    .pipe(takeUntil(stop$))
    .subscribe((questions) => {
      if (questions.length === 0) return
      const question = questions.find(({ kind }) => kind === 'refresh')
      if (question && question.askedAt !== refreshedFor) {
        refreshedFor = question.askedAt
        nudge$.next()
        refresh()
      }
      if (questions.some(({ kind, resource }) => kind === 'list' || (kind === 'detail' && resource))) replan()
      pull()
    })
}
