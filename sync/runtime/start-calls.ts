/** Creates what one user's calls to the CRM need: HTTP, schedulers, tokens, and the gates that delay pulls and pushes. */
import { Subject, merge, takeUntil, type Observable } from 'rxjs'
import { reportsFrom, type Connectivity } from './connectivity.ts'
import { TICKS, type Ticks } from '#sync/lib/backoff.ts'
import { createTrustedClock, type TimeParts } from '#sync/lib/trusted-clock.ts'
import { createApi, type AnswerCache } from '#sync/scheduler/api.ts'
import { RANKS, type Rank } from '#sync/scheduler/schedule.ts'
import { requestCalls, type PullGate, type Scheduler, type Schedulers } from '#sync/scheduler/scheduler.ts'
import { endpointsOf, type SyncEnv } from '#sync/transport/endpoints.ts'
import { createHttp, type AnswerTime, type EndedCall } from '#sync/transport/http.ts'
import { createSessionTokens, type SessionStore } from '#sync/transport/session-tokens.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { PhotoParents } from '#sync/photos/photo-place.ts'
import type { TabChannel, TabLocks } from '#sync/leadership/lease.ts'
import type { Transition } from '#sync/changes/send-adapter.ts'

export type Calls = ReturnType<typeof startCalls>

export function startCalls(parts: SyncParts, stop$: Observable<void>) {
  const { env, user, sessions, connectivity, schedulers, locks, ticks = TICKS } = parts
  const time = createTrustedClock({ ...parts.time, wall: parts.clock.now })
  const { rest, refresh, files } = endpointsOf(env, parts.origin)
  const stopped = new AbortController()
  const { signal } = stopped
  const wire = createHttp({
    fetch: parts.fetch,
    securityKey: env.securityKey,
    stopped: signal,
    // Only the CRM's answers count, because the clocks of other servers may differ.
    onServerTime(url, reported) {
      if (!url.startsWith(`${rest}/`)) return
      time.answered(reported.date)
      parts.onServerTime?.(reported)
    },
    onOmitted: reportOnce(parts),
    ...(parts.onCallEnded && { onEnded: parts.onCallEnded }),
    ...(parts.timeoutMs && { timeoutMs: parts.timeoutMs }),
  })
  const http = schedulers.crm.guard(wire, { stopped: signal })
  const tokens = createSessionTokens({ store: sessions, http, locks, refreshUrl: refresh, userId: user.id })
  const begin = reportsFrom(connectivity, schedulers.crm, signal)
  const { answers, clock } = parts
  const api = createApi({ http, scheduler: schedulers.crm, tokens, rest, now: clock.now, answers, begin })
  const nudge$ = new Subject<void>()
  nudge$.pipe(takeUntil(stop$)).subscribe(() => requestCalls(schedulers))
  const hurry$ = merge(nudge$, connectivity.cameOnline$)
  const { sessionValid$ } = parts
  const gateOf = (scheduler: Scheduler, rank: Rank): PullGate =>
    scheduler.gate({ rank, mayTry$: connectivity.mayTry$, sessionValid$, hurry$, stop$ })
  return {
    api,
    time,
    ticks,
    clock: { ...clock, expiryNow: time.expiryNow },
    nudge$,
    gate: (rank: Rank = RANKS.pull) => gateOf(schedulers.crm, rank),
    files: {
      http: schedulers.files.guard(wire, { stopped: signal }),
      url: files,
      tokens,
      gate: (rank: Rank) => gateOf(schedulers.files, rank),
    },
    /** Aborts all calls. The outcome of a write is then unknown, so the next start reads it back. */
    abort: () => stopped.abort(),
  }
}

/** Returns a function that reports which values of an answer exceeded the limits (RULES PL11), each report only once. */
function reportOnce({ report, onOmitted }: SyncParts) {
  const reported = new Set<string>()
  return (path: string, what: readonly string[]) => {
    const line = `${path}: left out ${what.join(', ')}`
    if (reported.has(line)) return
    if (reported.size === 0) onOmitted?.()
    reported.add(line)
    report(line)
  }
}

/** What the app passes to the sync of one user: device, clocks, stores and callbacks. */
export interface SyncParts {
  db: SyncDatabase
  env: SyncEnv
  origin: string
  fetch: typeof globalThis.fetch
  user: UserInfo
  sessions: SessionStore
  sessionValid$: Observable<boolean>
  connectivity: Connectivity
  /** The schedulers of the CRM and of the file store. The states of their circuit breakers are shared by all tabs. */
  schedulers: Schedulers
  visible$: Observable<boolean>
  locks: TabLocks
  tabs: TabChannel
  clock: { now(): number; stamp(): string }
  /** A monotonic clock, and the storage of the trusted time, which a wrong device clock does not change (RULES EX3). */
  time: Omit<TimeParts, 'wall'>
  onServerTime?: (time: AnswerTime) => void
  random: () => number
  ticks?: Ticks
  report: (problem: string) => void
  /** Called with true when the device has no space for CRM data, and with false when it has space again (RULES ST4). */
  onStorageFull?: (isFull: boolean) => void
  /** Called once per run if an answer exceeded the limits (RULES PL11). */
  onOmitted?: () => void
  onCallEnded?: (call: EndedCall) => void
  /** Called in the leading tab for every transition of a send state. */
  onTransition?: (transition: Transition) => void
  /** The HTTP cache. Without it every read returns the whole answer. */
  answers?: AnswerCache | undefined
  bytes: PhotoBytes
  parents?: PhotoParents
  timeoutMs?: number
  askEveryMs?: number
  /** Called if another tab took the lead, because this tab was frozen. */
  leadershipLost?: () => void
}
