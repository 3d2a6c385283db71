/**
 * Remembers, in marks, which lists of one collection the CRM has answered. A mark is stored as a receipt, and the list's
 * fetch request answered, only when the list's records are on the device as they were read (RULES trap 14, PL4).
 */
import type { WithDeleted } from 'rxdb'
import { deepEqual } from 'rxdb/plugins/core'
import { isoOf } from '#schemas/instant.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import { LONGEST_LIFE_MS } from '#sync/pull/engine/freshness.ts'
import type { RecordList } from '#sync/resources/resource.ts'
import type { KindView, SyncDatabase } from '#sync/storage/database.ts'
import { fetchRequestAnswerer, receiptRow, receiptsIn, removeReceipts } from '#sync/storage/fetch-requests.ts'

/** While reads continue, receipts are written at this interval, or when `CONFIRMED_AT_ONCE` lists wait for them. */
const CONFIRM_EVERY_MS = 1_000
const CONFIRMED_AT_ONCE = 25
/** Receipts per write: few enough not to delay the screen. */
const ROWS_AT_ONCE = 200

interface Parts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: Pick<KindView<R>, 'findByIds'>
  clock: Pick<PullClock, 'now' | 'expiryNow'>
  /** True if the marks survive a restart; false for lists of the user's company. */
  isPersistent: boolean
}

export interface ListMark {
  /** Digest of the request fields that the list depends on (`basisOf`). */
  basis: string
  /** Wall clock of the read, ISO 8601; '' if the read was refused. */
  at: string
  stamp: string
  /** When a screen had last needed the list before this read, ISO 8601; absent in the mark of an earlier run. */
  requestedAt?: string | undefined
}

type ReadList = RecordList & Pick<ListMark, 'requestedAt'>

/** A list that was read and whose records are not on the device yet. */
interface PendingList<R> {
  mark: ListMark
  written: WithDeleted<R>[]
  fetchRequest: RecordList['fetchRequest']
}

export class ListMarks<R extends LocalRecord> {
  /** Owners of the lists that were read in this round. */
  readonly read = new Set<string>()
  private readonly parts: Parts<R>
  /** By owner. */
  private readonly marks = new Map<string, ListMark>()
  private readonly pending = new Map<string, PendingList<R>>()
  private confirmedAt = -Infinity
  private isLoaded = false

  constructor(parts: Parts<R>) {
    this.parts = parts
  }

  get = (owner: string): ListMark | undefined => this.marks.get(owner)

  /** Loads the marks of earlier runs. Deletes marks that are older than any lifetime. */
  async load(): Promise<void> {
    const { db, name, clock, isPersistent } = this.parts
    if (this.isLoaded || !isPersistent) return
    const before = isoOf(clock.expiryNow() - LONGEST_LIFE_MS)
    const receipts = await receiptsIn(db, name)
    const old = receipts.filter(({ at }) => at <= before).map(({ owner }) => owner)
    await removeReceipts(db, name, old)
    for (const { owner, ...mark } of receipts) if (mark.at > before) this.marks.set(owner, mark)
    this.isLoaded = true
  }

  /** Remembers a list that was read, needs no call, or was refused. The mark of a refused list has `at: ''`. */
  set({ owner, requestedAt }: ReadList, mark: ListMark): void {
    this.marks.set(owner, { ...mark, requestedAt })
    this.read.add(owner)
  }

  /** @param docs the documents that RxDB will write */
  noteRead(list: ReadList, mark: ListMark, docs: readonly WithDeleted<R>[]): void {
    const { owner, fetchRequest } = list
    this.set(list, mark)
    const written = docs.filter((doc) => !doc._deleted)
    // If the documents of an earlier read have not arrived yet, its fetch request is answered with this read.
    const open = fetchRequest ?? this.pending.get(owner)?.fetchRequest
    this.pending.set(owner, { mark, written, fetchRequest: open })
  }

  /** The records of these lists have left the device, so the lists count as never read. */
  async forget(owners: ReadonlySet<string>): Promise<void> {
    const { db, name, isPersistent } = this.parts
    for (const owner of owners) for (const map of [this.marks, this.pending]) map.delete(owner)
    if (isPersistent) await removeReceipts(db, name, [...owners])
  }

  /** Lists whose documents have not arrived count as never read, because the device may have refused the documents (ST4). */
  forgetPending(): void {
    for (const owner of this.pending.keys()) this.marks.delete(owner)
    this.pending.clear()
  }

  /**
   * Writes the receipts of lists whose records have arrived, and answers the lists' fetch requests (PL4).
   * @param isBusy true while reads are running: most calls then do nothing
   */
  async confirm(isBusy: boolean): Promise<void> {
    const { db, name, collection, clock, isPersistent } = this.parts
    const lists = [...this.pending]
    const isDue =
      lists.length >= CONFIRMED_AT_ONCE ||
      performance.now() - this.confirmedAt >= CONFIRM_EVERY_MS ||
      lists.some(([, { fetchRequest }]) => fetchRequest !== undefined)
    if (isBusy && !isDue) return
    this.confirmedAt = performance.now()
    const keys = lists.flatMap(([, { written }]) => written.map(({ key }) => key))
    const found = keys.length > 0 ? await collection.findByIds(keys).exec() : new Map<string, never>()
    const isThere = (doc: WithDeleted<R>) => hasArrived(doc, found.get(doc.key)?.toJSON() as R | undefined)
    const arrived = lists.filter(([, { written }]) => written.every(isThere))
    const rows = isPersistent ? arrived.map(([owner, { mark }]) => receiptRow(name, { owner, ...mark })) : []
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
      await db.interests.bulkUpsert(rows.slice(start, start + ROWS_AT_ONCE))
    const answer = fetchRequestAnswerer(db, clock)
    for (const [, { fetchRequest }] of arrived)
      if (fetchRequest) await answer({ fetchRequest, state: 'answered', total: 0 })
    // Only a list whose receipt was written is removed. On a full device, the next call writes the receipt.
    for (const [owner, one] of arrived) if (this.pending.get(owner) === one) this.pending.delete(owner)
  }
}

/** True if the device has the record as it was read, or newer. */
const hasArrived = <R extends LocalRecord>(read: R, local: R | undefined): boolean =>
  local !== undefined &&
  (read.server
    ? (local.server?.stamp ?? '') >= read.server.stamp
    : deepEqual({ ...read, _deleted: false }, { ...local, _deleted: false }))
