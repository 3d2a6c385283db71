/**
 * Remembers which lists of one collection were read. A list counts as read as soon as the CRM has answered. Its
 * receipt is written, and the screen's fetch request answered, only when its records are on the device in the state
 * that was read, not in the state of an earlier read (RULES trap 14, PL4).
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
import type { ListMark } from './record-lists.ts'

/** While reads continue, receipts are written at this interval, or when this many are ready. */
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

type ReadList = RecordList & Pick<ListMark, 'requestedAt'>

/** A list that was read and whose records are not on the device yet. */
interface PendingList<R> {
  mark: ListMark
  written: WithDeleted<R>[]
  fetchRequest: RecordList['fetchRequest']
}

export type ListMarks<R extends LocalRecord> = ReturnType<typeof createListMarks<R>>

export function createListMarks<R extends LocalRecord>(parts: Parts<R>) {
  const { db, name, isPersistent } = parts
  /** By owner. */
  const marks = new Map<string, ListMark>()
  const pending = new Map<string, PendingList<R>>()
  let confirmedAt = -Infinity
  /** Owners of the lists that were read in this round. */
  const read = new Set<string>()
  let loaded = false
  /** Remembers a list that was read, that needs no call, or that the CRM refused: then the time of the mark is ''. */
  function set({ owner, requestedAt }: ReadList, mark: ListMark) {
    marks.set(owner, { ...mark, requestedAt })
    read.add(owner)
  }

  return {
    read,
    get: (owner: string) => marks.get(owner),
    set,
    beginRound: () => read.clear(),
    async load() {
      if (loaded || !isPersistent) return
      for (const [owner, mark] of await storedMarks(parts)) marks.set(owner, mark)
      loaded = true
    },
    /** @param docs the documents that RxDB will write */
    noteRead(list: ReadList, mark: ListMark, docs: readonly WithDeleted<R>[]) {
      set(list, mark)
      const { owner, fetchRequest } = list
      const written = docs.filter((doc) => !doc._deleted)
      // If the documents of an earlier read have not arrived yet, its fetch request is answered with this read.
      const open = fetchRequest ?? pending.get(owner)?.fetchRequest
      pending.set(owner, { mark, written, fetchRequest: open })
    },
    /** The records of these lists have left the device, so the lists count as never read. */
    async forget(owners: ReadonlySet<string>) {
      for (const owner of owners) for (const map of [marks, pending]) map.delete(owner)
      if (isPersistent) await removeReceipts(db, name, [...owners])
    },
    /** Lists whose documents have not arrived count as never read, because the device may have refused the documents (ST4). */
    forgetPending() {
      for (const owner of pending.keys()) marks.delete(owner)
      pending.clear()
    },
    /** Writes the receipts of lists whose records have arrived (PL4); fewer writes if `isBusy`. */
    async confirm(isBusy: boolean) {
      if (isBusy && !isWriteDue(pending, performance.now() - confirmedAt)) return
      confirmedAt = performance.now()
      for (const [owner, one] of await confirmArrived(parts, pending))
        // Only a list whose receipt was written is removed. On a full device, the next call writes the receipt.
        if (pending.get(owner) === one) pending.delete(owner)
    },
  }
}

const isWriteDue = <R>(pending: ReadonlyMap<string, PendingList<R>>, sinceMs: number): boolean =>
  pending.size >= CONFIRMED_AT_ONCE ||
  sinceMs >= CONFIRM_EVERY_MS ||
  [...pending.values()].some(({ fetchRequest }) => fetchRequest !== undefined)

/** Writes the receipts of lists that have arrived, answers their fetch requests, and returns these lists. */
async function confirmArrived<R extends LocalRecord>(
  { db, name, collection, clock, isPersistent }: Parts<R>,
  pending: ReadonlyMap<string, PendingList<R>>,
) {
  const lists = [...pending]
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
  return arrived
}

/** True if the device has the record as it was read, or newer. */
const hasArrived = <R extends LocalRecord>(read: R, local: R | undefined): boolean =>
  local !== undefined &&
  (read.server
    ? (local.server?.stamp ?? '') >= read.server.stamp
    : deepEqual({ ...read, _deleted: false }, { ...local, _deleted: false }))

/** The marks of earlier runs. Deletes marks that are older than any lifetime. */
async function storedMarks({
  db,
  name,
  clock,
}: Omit<Parts<never>, 'collection'>): Promise<[owner: string, mark: ListMark][]> {
  const receipts = await receiptsIn(db, name)
  const before = isoOf(clock.expiryNow() - LONGEST_LIFE_MS)
  const old = receipts.filter(({ at }) => at <= before).map(({ owner }) => owner)
  await removeReceipts(db, name, old)
  return receipts.filter(({ at }) => at > before).map(({ owner, ...mark }) => [owner, mark])
}
