/** What the pull of one collection of records works with, and what it offers (`pull-records.ts`). */
import type { RxCollection, WithDeleted } from 'rxdb'
import type { Observable } from 'rxjs'
import type { KindView, SyncDatabase } from '#sync/storage/database.ts'
import type { PullGate } from '#sync/scheduler/scheduler.ts'
import type { InFlight } from '#sync/lib/in-flight.ts'
import type { Pacer } from '#sync/scheduler/prefetch.ts'
import type { Urgency } from './record-lists.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { PullResource, RecordList } from '#sync/resources/pull-resource.ts'
import type { Ticks } from '#sync/lib/ticks.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { PullApi } from '#sync/scheduler/api.ts'

export interface RecordPull<R> {
  handler(): Promise<WithDeleted<R>[]>
  /** Checks again which reads may begin, because documents may have arrived on the device. */
  ring(): void
  /** Plans the lists again, because requests may have changed. */
  look(): void
  /**
   * Starts a new round.
   * @param asked true if the user requested it: near data is read again even if it was read recently
   */
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
  /**
   * True while only lists that a screen waits for, and those with sent records, may be read. `look` is called
   * when it ends.
   */
  isUrgentOnly: () => boolean
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
  random: () => number
  ticks?: Ticks
  inFlight: InFlight
  stop$: Observable<unknown>
  /** Called when something may be tried again: RxDB should call the handler. */
  wake: () => void
}

/** A list that is to be read now. */
export interface DueList extends RecordList {
  because: string
  askedAt: string
  urgency: Urgency
  /** True if the screen that is open now requested it, false if an earlier one did. */
  forCurrentScreen: boolean
  /** Name of its read and of its back-off; different for each question of a screen. */
  name: string
}

/** The state of a round. */
export interface ListRound {
  /** Owners whose lists were read. */
  read: Set<string>
  /** Owners whose lists the CRM refused; the next round requests them again. */
  refused: Set<string>
  /** By owner: when a screen's latest request was made, as of the read of the list. */
  answered: Map<string, string>
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
}
