/** Where a deliberate defect can take hold: the parts that the engine is given. In an honest run none of them does. */
import type { FileToken } from '#sync/photos/file-store.ts'
import type { PushResource } from '#sync/resources/resource.ts'
import type { Session } from '#schemas/device/session.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { SendParts } from '#sync/photos/send-photo.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { Api } from '#sync/scheduler/api.ts'
import type { SchedulerMemory } from '#sync/scheduler/scheduler.ts'
import type { Schedulers } from '#sync/scheduler/scheduler.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import type { TrustedClock } from '#sync/lib/trusted-clock.ts'
import type { Http } from '#sync/transport/http.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import type { SessionStore } from '#sync/transport/session-tokens.ts'

/** The store as a phone has it; a defect can also write without comparing. */
export interface ModelSessions extends SessionStore {
  overwrite(known: Session, next: Session): Promise<void>
}

export interface Seat {
  userId: string
  /** The same for all tabs and users of a phone. */
  phone: object
  sleep: (ms: number) => Promise<void>
  /** Of the user. */
  photos: () => readonly PhotoRecord[]
}

export interface Defect {
  store?: (store: QueueStore, seat: Seat) => QueueStore
  locks?: (locks: Locks) => Locks
  api?: (api: Api, seat: Seat) => Api
  http?: (http: Http) => Http
  schedulers?: (schedulers: Schedulers) => Schedulers
  gate?: (gate: Gate) => Gate
  /** How late it is for what was saved. */
  timeKeeper?: (time: TrustedClock, wall: () => number) => TrustedClock
  /** What the circuits remember. */
  memory?: (memory: SchedulerMemory) => SchedulerMemory
  sessions?: (sessions: ModelSessions, seat: Seat) => SessionStore
  resource?: (row: PushResource<QuickReportRecord>) => PushResource<QuickReportRecord>
  /** Of all resources beside quick reports. */
  others?: (row: PushResource) => PushResource
  /** What photos are sent with. */
  photos?: (work: SendParts) => SendParts
  fileToken?: (token: FileToken, seat: Seat) => FileToken
  /** The clock forgets its last stamp. */
  forgetsStamps?: boolean
  noResume?: boolean
  /** What was not there at the first look leaves again at once. */
  looksOnce?: boolean
  pullTakesChanges?: boolean
  logoutClears?: boolean
  /** A wish forgets why the circuits are open. */
  wishForgets?: boolean
}

/** The store with the rule taken out, also where it is asked for within a lock. */
export const withDefect = (plain: QueueStore, change: Defect['store'], seat: Seat): QueueStore => ({
  ...(change?.(plain, seat) ?? plain),
  within: (hold) => withDefect(plain.within(hold), change, seat),
})

export interface Planted {
  name: string
  defect: Defect
  /** It takes more days to be caught than `npm test` has time for. */
  slow?: true
}
