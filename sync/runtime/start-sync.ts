/** Starts everything that talks to the CRM for one user. Only the leading tab replicates. */
import {
  ReplaySubject,
  exhaustMap,
  filter,
  firstValueFrom,
  merge,
  switchMap,
  takeUntil,
  throwError,
  timer,
  type Observable,
  type Subject,
} from 'rxjs'
import { loginUserId } from '#schemas/api-error.ts'
import { type SyncDatabase, openFetchRequests$ } from '../storage/database.ts'
import type { StorageTroubles } from '../storage/storage-trouble.ts'
import { createInFlight, replicatePush, startedOrFailed } from '../changes/replications.ts'
import { anyInSight$, inLine, type Running } from '../leadership/leadership.ts'
import { startPhotos } from '../photos/start-photos.ts'
import { rxQueueStore, type QueueStore } from '#sync/changes/change-store.ts'
import { createAgeCheck, createSender } from '#sync/changes/sender.ts'
import { StateChanged, transitions$ } from '#sync/changes/send-adapter.ts'
import { startCalls, type SyncParts } from './start-calls.ts'
import { startPulls, type Leading as PullsOfTab } from './start-pulls.ts'
import { cleanUp, purge, type Replicating } from '../retention/expiry.ts'
import { RANKS } from '#sync/scheduler/schedule.ts'
import { CALL_TIMEOUT_MS } from '../transport/http.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'

const STORE_TIME_EVERY_MS = 60_000
const TIDY_FIRST_MS = 5_000
const TIDY_EVERY_MS = 10 * 60_000
/** The second removal of old data after the start comes early, because the app is often open for minutes only (EX4). */
const CLEAN_AGAIN_MS = 80_000

export type Sync = Running

/** Starts sync. With several tabs sync begins once this tab leads. */
export function startSync(parts: SyncParts): Sync {
  const { db, tabs: channel } = parts
  if (!db.multiInstance) return startLeading(parts)
  const line = { ...parts, channel }
  const lead = () => startLeading({ ...parts, visible$: anyInSight$(line) })
  return inLine(line, `genba-lead-${db.name}`, lead)
}

type Leading = PullsOfTab & { store: QueueStore }

function startLeading(parts: SyncParts): Sync {
  const { db, report, user } = parts
  const stop$ = new ReplaySubject<void>(1)
  const inFlight = createInFlight()
  const calls = startCalls(parts, stop$)
  const { time, nudge$ } = calls
  const store = rxQueueStore(db, report)
  if (parts.onTransition) transitions$(db).pipe(takeUntil(stop$)).subscribe(parts.onTransition)
  const leading: Leading = { parts, calls, store, inFlight, stop$ }
  const handler = createSender({
    ...handlerParts(leading),
    api: calls.api,
    clock: { ...calls.clock, now: time.saveNow },
    gate: calls.gate(RANKS.push),
    userId: user.id,
    loginUserId: loginUserId(user),
  })
  const pulls = startPulls({ ...leading, send: () => handler.push([]) })
  const { troubles } = pulls
  const push = replicatePush({
    collection: db.changes,
    identifier: 'crm-changes',
    handler,
    inFlight,
    troubles,
  })
  timer(0, STORE_TIME_EVERY_MS).pipe(takeUntil(stop$)).subscribe(time.expiryNow)

  void Promise.all([pulls.started, startedOrFailed(push)]).then(() => {
    handler.wake(0)
    removeOldData(leading, [...pulls.replications, push, startPhotoPush(leading, troubles)])
    leaderDuties(db, pulls, nudge$, stop$)
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
  const stopped$ = stop$.pipe(switchMap(() => throwError(() => new GateClosed('sync stopped'))))
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

function startPhotoPush(leading: Leading, troubles: StorageTroubles): Replicating {
  const { parts, calls, inFlight, stop$ } = leading
  const { db, bytes, parents, user, sessions, random, report } = parts
  const { ticks, nudge$, time } = calls
  const device = { db, bytes, parents, user, sessions, random, report, now: time.saveNow }
  const engine = { ...handlerParts(leading), ticks, nudge$, stop$, inFlight, troubles }
  return startPhotos({ ...calls.files, ...engine, ...device })
}

/** Removes expired data soon after the start and then every ten minutes. */
function removeOldData(
  { parts, calls: { time }, store, inFlight, stop$ }: Leading,
  replications: readonly Replicating[],
): void {
  const { db, bytes, answers, report, clock } = parts
  const round = async () => {
    await purge({ db, store, bytes, now: time.saveNow(), typedBefore: time.dayOldBefore() })
    await answers?.expire(clock.now())
    await cleanUp({ db, replications, now: Date.now() })
  }
  merge(timer(TIDY_FIRST_MS, TIDY_EVERY_MS), timer(CLEAN_AGAIN_MS))
    .pipe(
      exhaustMap(() => inFlight.run(round).catch((problem: unknown) => report(String(problem)))),
      takeUntil(stop$),
    )
    .subscribe()
}

/** Starts what only the leading tab does: it reads what screens have ordered, and applies the user's 再送 and 破棄. */
export function leaderDuties(
  db: SyncDatabase,
  { refetch, pull, replan }: Pick<ReturnType<typeof startPulls>, 'refetch' | 'pull' | 'replan'>,
  nudge$: Subject<void>,
  stop$: Observable<void>,
) {
  // Only a new 再送 or 破棄 of the user (`wish`) lets one call begin at once (RULES OC10).
  const newWishes$ = merge(db.changes.$, db.photos.$).pipe(
    filter(
      ({ documentData: { wish }, previousDocumentData: before }) => !['none', before?.wish].includes(wish),
    ),
  )
  newWishes$.pipe(takeUntil(stop$)).subscribe(() => nudge$.next())
  let refreshedFor = ''
  const open$ = openFetchRequests$(db).pipe(filter((open) => open.length > 0))
  open$.pipe(takeUntil(stop$)).subscribe((open) => {
    const latest = open.find(({ kind }) => kind === 'refresh')
    if (latest && latest.askedAt !== refreshedFor) {
      refreshedFor = latest.askedAt
      nudge$.next()
      refetch('user')
    }
    if (open.some(({ kind, resource }) => kind === 'list' || (kind === 'detail' && resource))) replan()
    pull()
  })
}
