/** What the pull of one collection of records is made of, and what it offers (`pull-records.ts`). */
import type { RxCollection, WithDeleted } from 'rxdb'
import type { Observable } from 'rxjs'
import type { KindView, SyncDatabase } from '#sync/storage/database.ts'
import type { PullGate } from '#sync/scheduler/gate.ts'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Pacer } from '#sync/scheduler/prefetch-rate-limit.ts'
import type { Urgency } from './record-lists.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { PullResource, RecordList } from '#sync/resources/pull-resource.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { PullApi } from '#sync/scheduler/api.ts'

export interface RecordPull<R> {
  handler(): Promise<WithDeleted<R>[]>
  /** What was read may be on the device now. */
  ring(): void
  /** There may be something else to read. */
  look(): void
  /** A new round. @param asked by the user: also what is near and was read a short while ago */
  refetch(asked: boolean): void
}

type RecordsHere<R extends LocalRecord> = RxCollection<R> | KindView<R>

export interface RecordPullParts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  /** A collection, or a kind of a shared one. */
  collection: RecordsHere<R>
  resource: PullResource<R>
  api: PullApi
  gate: PullGate
  clock: PullClock
  loginUserId: string
  supplierId: string
  report: (problem: string) => void
  /** Only what a screen waits for, and what was sent from here, is read now; then it is to look again. */
  isHeld: () => boolean
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
  random: () => number
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  /** Something may be tried again: the handler is to be called. */
  wake: () => void
}

/** A list that is to be read now. */
export interface DueList extends RecordList {
  because: string
  askedAt: string
  urgency: Urgency
  /** A screen asks for it now; not: some time ago. */
  forCurrentScreen: boolean
  /** What the read is known by while it is under way, and where it fails: for each question of a screen another one. */
  name: string
}

/** What a pull of records knows of its round. */
export interface ListRound {
  /** Owners whose lists were read. */
  read: Set<string>
  /** Owners whose lists the CRM refused: they are asked for again in the next round. */
  refused: Set<string>
  /** What a screen asked for, as it was when the list of an owner was read. */
  answered: Map<string, string>
  /** ISO 8601: when the user last asked for everything; '' where that was not yet. */
  refreshedAt: string
}
