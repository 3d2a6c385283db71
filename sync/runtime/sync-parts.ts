/** Everything that the app provides to the sync of one user: device, clocks, stores and callbacks. */
import type { Observable } from 'rxjs'
import type { UserInfo } from '#schemas/device/session.ts'
import type { Connectivity } from './connectivity.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { PhotoParents } from '#sync/photos/photo-place.ts'
import type { Ticks } from '../lib/ticks.ts'
import type { TimeParts } from '#sync/lib/trusted-clock.ts'
import type { Schedulers } from '#sync/scheduler/scheduler.ts'
import type { SyncEnv } from '../transport/endpoints.ts'
import type { TabLocks } from '#sync/leadership/lease.ts'
import type { AnswerTime, EndedCall } from '../transport/http.ts'
import type { Transition } from '#sync/changes/transitions.ts'
import type { AnswerCache } from '#sync/transport/conditional-get.ts'
import type { SessionStore } from '../transport/session-tokens.ts'
import type { TabChannel } from '../leadership/tab-channel.ts'

export interface SyncParts {
  db: SyncDatabase
  env: SyncEnv
  /** The page's origin, for endpoints that are paths. */
  origin: string
  fetch: typeof globalThis.fetch
  user: UserInfo
  sessions: SessionStore
  /** True if this user has a session that has not expired. */
  sessionValid$: Observable<boolean>
  connectivity: Connectivity
  /** The schedulers of the CRM and of the file store. All tabs share the state of their circuit breakers. */
  schedulers: Schedulers
  visible$: Observable<boolean>
  locks: TabLocks
  /** Messages between the tabs that have this database open. */
  tabs: TabChannel
  clock: { now(): number; stamp(): string }
  /** A monotonic clock, and the storage of the trusted time (RULES EX3). */
  time: Omit<TimeParts, 'wall'>
  /** Called with the server's time of each CRM answer. */
  onServerTime?: (time: AnswerTime) => void
  random: () => number
  /** The clock for waits between calls; real time by default. */
  ticks?: Ticks
  /** Writes a line to the error log. */
  report: (problem: string) => void
  /** Called when the device has no room for CRM data, and when it has room again (RULES ST4). */
  onStorageFull?: (isFull: boolean) => void
  /** Called once per run if a response exceeded the limits (RULES PL11). */
  onOmitted?: () => void
  /** Called for every call that was sent, when it has ended. */
  onCallEnded?: (call: EndedCall) => void
  /** Called by the leader for every transition of a send state. */
  onTransition?: (transition: Transition) => void
  /** The HTTP cache; without it every read returns the whole answer. */
  answers?: AnswerCache | undefined
  /** The bytes of photos; without them no photo is sent. */
  bytes?: PhotoBytes
  parents?: PhotoParents
  /** Time limit of one call, in milliseconds. */
  timeoutMs?: number
  /** Interval at which a waiting tab pings the leader. */
  askEveryMs?: number
  /** Called if another tab has taken the lead from this tab, because this tab was frozen. */
  leadershipLost?: () => void
}
