/** Reads the local records of one collection, with local changes applied, and merges rows and removals into them (PL1–PL3). */
import type { RxCollection, WithDeleted } from 'rxdb'
import type { StoredRecord } from '#schemas/change.ts'
import { recordViews, storedOf } from '#schemas/changes/record-view.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { forgetResults } from '#sync/changes/change-store.ts'
import { mergeRows, type LocalRecord, type PulledRow } from '#sync/merge/merge-rows.ts'
import type { PullServices } from '#sync/pull/engine/work.ts'
import type { PullResource, RecordList } from '#sync/resources/resource.ts'
import { dependentsOf } from '#sync/retention/expiry.ts'
import {
  collectionOf,
  readByKeys,
  readOnce,
  type KindView,
  type SyncDatabase,
  fetchRequestAnswerer,
  receiptRow,
  receiptsIn,
  removeReceipts,
  type Receipt,
} from '#sync/storage/database.ts'
import { deepEqual } from 'rxdb/plugins/core'
import { isoOf } from '#schemas/instant.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import { LONGEST_LIFE_MS } from '#sync/pull/engine/freshness.ts'

interface Source<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: RxCollection<R> | KindView<R>
}

/** `isUrgentOnly`: true while only lists that a screen waits for, and lists with sent records, may be read. */
export interface RecordPullParts<R extends LocalRecord> extends PullServices, Source<R> {
  resource: PullResource<R>
  loginUserId: string
  supplierId: string
  isUrgentOnly: () => boolean
}

/** Reads local records. @param matches selects the records that exist only as local changes; by default none */
export async function localRecords<R extends LocalRecord>(
  { db, name, collection }: Source<R>,
  selector: object,
  matches: (record: R) => boolean = () => false,
): Promise<R[]> {
  const docs = await (collection as RxCollection<R>).find({ selector }).exec()
  const stored = docs.map((doc) => doc.toJSON() as R)
  if (!isPushCollection(name)) return stored
  const changes = (await readOnce(db.changes, {})).filter(({ resource }) => resource === name)
  if (changes.length === 0) return stored.map((record) => ({ ...record, changes: [] }))
  const found = new Set(stored.map(({ key }) => key))
  // A document that the query did not find may still exist.
  const otherKeys = [...new Set(changes.map(({ recordKey }) => recordKey))].filter((key) => !found.has(key))
  const others = await readByKeys(collectionOf<StoredRecord>(db, name), otherKeys)
  const views = recordViews([...(stored as object[] as StoredRecord[]), ...others], changes)
  const all: object[] = [...views.values()]
  return (all as R[]).filter((view) => found.has(view.key) || matches(view))
}

/** By key: the stamp of each record that has a document. Others exist only as local changes. */
async function storedStamps(
  db: SyncDatabase,
  name: string,
  records: readonly LocalRecord[],
): Promise<Map<string, string>> {
  const keys = records.map(({ key }) => key)
  if (!isPushCollection(name)) return new Map(keys.map((key) => [key, '']))
  const found = await readByKeys(collectionOf<StoredRecord>(db, name), keys)
  return new Map(found.map(({ key, server }) => [key, server?.stamp ?? '']))
}

type MergeInput<R extends LocalRecord> = Parameters<typeof mergeRows<R>>[0]

export async function mergeList<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  owner: string,
  merged: Pick<MergeInput<R>, 'rows' | 'skippedIds' | 'completeAsOf' | 'stamp'>,
): Promise<WithDeleted<R>[]> {
  const { db, name, loginUserId } = parts
  const local = await localOf(parts, owner, merged.rows)
  const { onRecord } = await dependentsOf(db)
  const stored = await storedStamps(db, name, local)
  const docs = mergeRows({
    ...merged,
    resource: name,
    local,
    loginUserId,
    isNeeded: (record) => onRecord(name, record),
    isStored: (record) => stored.get(record.key) === (record.server?.stamp ?? ''),
  })
  const removedKeys = docs.filter(({ _deleted }) => _deleted).map(({ key }) => key)
  if (isPushCollection(name)) await forgetResults(db, name, removedKeys, merged.stamp)
  return docs.filter(({ key, _deleted }) => !_deleted || stored.has(key)).map(storedOf)
}

/** The local records of a list, read after the CRM's answer, so that no change since the call is overwritten (PL3, SV3). */
export async function localOf<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  owner: string,
  rows: readonly PulledRow<R>[] = [],
): Promise<R[]> {
  const { name, resource } = parts
  const [ids, keys] = [new Set(rows.map(({ id }) => id)), new Set(rows.map(({ key }) => key))]
  const isOf = (record: R) =>
    resource.ownerOf(record) === owner || ids.has(record.serverId ?? '') || keys.has(record.key)
  const ofList = await localRecords(parts, resource.localSelector(owner), isOf)
  const withIds =
    isPushCollection(name) && ids.size > 0 ? await localRecords(parts, { serverId: { $in: [...ids] } }) : []
  return [...new Map([...ofList, ...withIds].map((record) => [record.key, record])).values()]
}

/** The removals of expired records. The results of their changes are forgotten. */
export async function removalsOf<R extends LocalRecord>(
  db: SyncDatabase,
  name: string,
  expired: readonly R[],
): Promise<WithDeleted<R>[]> {
  const keys = expired.map(({ key }) => key)
  if (isPushCollection(name)) await forgetResults(db, name, keys)
  const stored = await storedStamps(db, name, expired)
  return expired
    .filter(({ key }) => stored.has(key))
    .map((record) => ({ ...storedOf(record), _deleted: true }))
}

/** While reads continue, receipts are written at this interval, or when `CONFIRMED_AT_ONCE` lists wait for them. */
const CONFIRM_EVERY_MS = 1_000
const CONFIRMED_AT_ONCE = 25
/** Receipts per write: few enough not to delay the screen. */
const ROWS_AT_ONCE = 200

/** `isPersistent`: the marks survive a restart; false for lists of the user's company. */
interface Parts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: Pick<KindView<R>, 'findByIds'>
  clock: Pick<PullClock, 'now' | 'expiryNow'>
  isPersistent: boolean
}

/** `at`: '' if the read was refused. `requestedAt`: when a screen had last needed the list; absent of an earlier run. */
export type ListMark = Omit<Receipt, 'owner'> & { requestedAt?: string | undefined }

type ReadList = RecordList & Pick<ListMark, 'requestedAt'>

/** A list that was read and whose records are not on the device yet. */
type PendingList<R> = { mark: ListMark; written: WithDeleted<R>[]; fetchRequest: RecordList['fetchRequest'] }

/**
 * Remembers, in marks, which lists of one collection the CRM has answered. A mark is stored as a receipt, and the list's
 * fetch request answered, only when the list's records are on the device as they were read (RULES trap 14, PL4).
 */
export class ListMarks<R extends LocalRecord> {
  /** Owners of the lists that were read in this round. */
  readonly read = new Set<string>()
  private readonly parts: Parts<R>
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

  /** Writes the receipts of lists whose records have arrived, and answers fetch requests (PL4); while reads run, rarely. */
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
