/** What the sync of one user is given from outside: the app's own devices, clocks and stores. */
import type { Observable } from 'rxjs'
import type { UserInfo } from '#schemas/device/session.ts'
import type { Connectivity } from './connectivity.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { PhotoBytes, PhotoParents } from '../photos/ports.ts'
import type { Ticks } from '../lib/ticks.ts'
import type { TimeParts } from '#sync/lib/trusted-clock.ts'
import type { Circuits } from '#sync/scheduler/circuits.ts'
import type { SyncEnv } from '../transport/endpoints.ts'
import type { TabLocks } from '#sync/leadership/lease.ts'
import type { AnswerTime, EndedCall } from '../transport/http.ts'
import type { Transition } from '#sync/changes/transitions.ts'
import type { AnswerCache } from '#sync/transport/http-cache.ts'
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
  /** Told what each answer of the CRM says of the time. */
  heardTime?: (time: AnswerTime) => void
  random: () => number
  /** What the waits between calls go by; real time where it is not said. */
  ticks?: Ticks
  /** Told of what the CRM sent that could not be used: goes to the error log. */
  report: (problem: string) => void
  /** The device has no room for what the CRM gives, or has some again (RULES ST4). */
  storageFull?: (isFull: boolean) => void
  /** Told once in a run where an answer was larger than is taken (RULES PL11). */
  leftOut?: () => void
  /** Told of every call that left, when it has ended. */
  ended?: (call: EndedCall) => void
  /** Told of every step of a send state, by the tab that leads. */
  moved?: (transition: Transition) => void
  /** What the CRM answered, for conditional reads; without them every answer comes whole. */
  answers?: AnswerCache | undefined
  /** The bytes of photos; without them no photo travels. */
  bytes?: PhotoBytes
  parents?: PhotoParents
  /** Time limit of one call, in milliseconds. */
  timeoutMs?: number
  /** How often a tab in line asks whether the leader is there. */
  askEveryMs?: number
  /** The tab stood still while it led, and another leads now. */
  leadershipLost?: () => void
}
