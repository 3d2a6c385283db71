/** What the pull of one collection of records is made of, and what it offers (`pull-records.ts`). */
import type { RxCollection, WithDeleted } from 'rxdb'
import type { SyncDatabase } from './database.ts'
import type { Gate } from './gate.ts'
import type { Ledger } from './ledger.ts'
import type { Pacer } from './pacer.ts'
import type { Urgency } from './record-lists.ts'
import type { LocalRecord, PullResource, RecordList } from './resources/pull-resource.ts'
import type { Api } from './transport/api.ts'

export interface RecordPull<R> {
  handler(): Promise<WithDeleted<R>[]>
  /** There may be something else to read. */
  look(): void
  /** A new round. @param asked by the user: also what is near and was read a short while ago */
  refetch(asked: boolean): void
  /** RxDB let these documents fall: their lists are read again. */
  missed(keys: ReadonlySet<string>): void
}

export interface RecordPullParts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: RxCollection<R>
  resource: PullResource<R>
  ledger: Ledger
  api: Api
  gate: Gate
  clock: { now(): number; stamp(): string }
  loginUserId: string
  supplierId: string
  report: (problem: string) => void
  /** Only what a screen waits for, and what was sent from here, is read now; then it is to look again. */
  isHeld: () => boolean
  pacer: Pick<Pacer, 'grant' | 'pausedSince'>
}

/** A list that is to be read now. */
export interface DueList extends RecordList {
  because: string
  askedAt: string
  urgency: Urgency
}
