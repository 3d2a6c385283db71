/** What the app passes to the sync of one user: device, clocks, stores and callbacks. */
import type { Observable } from 'rxjs'
import type { UserInfo } from '#schemas/device/session.ts'
import type { Connectivity } from './connectivity.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { PhotoParents } from '#sync/photos/photo-place.ts'
import type { Ticks } from '../lib/backoff.ts'
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
  /** The page's origin, for endpoints that are configured as a path. */
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
  /** The bytes of photos. Without them no photo is sent. */
  bytes?: PhotoBytes
  parents?: PhotoParents
  /** Time limit of one call, in milliseconds. */
  timeoutMs?: number
  /** Interval at which waiting tabs ping the leader, in milliseconds. */
  askEveryMs?: number
  /** Called if another tab took the lead, because this tab was frozen. */
  leadershipLost?: () => void
}
