/**
 * Remembers reads that RxDB may not have written yet (RULES trap 14). So a search page, which has no details,
 * does not overwrite details just read; no request is read twice in a round; a request that is about to be
 * confirmed does not expire; and the window gets its receipt only when all its rows are stored.
 *
 * The receipt states that the window was read to its end, and when that round began (RULES PL4). Without it no
 * screen says that a day has no requests, and with it not for a day with an unreadable row. A nearly full device
 * may store the last page and not the one before it.
 */
import type { WithDeleted } from 'rxdb'
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch-keys.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { PullEngine, PullServices } from '#sync/pull/engine/engine.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { receiptRow } from '#sync/storage/interests.ts'
import { readByKeys } from '#sync/storage/device-rows.ts'
import type { Range } from './rounds.ts'

export type RequestMemory = ReturnType<typeof createRequestMemory>

/** The services and memory that all reads of requests share. */
export interface RequestReads extends PullServices {
  supplierStaffId: string
  memory: RequestMemory
  engine: PullEngine<WithDeleted<RequestRecord>>
}

export function createRequestMemory(db: SyncDatabase, report: (problem: string) => void) {
  /** By key: stamp of the request's read in this round. */
  const stamps = new Map<string, string>()
  /** Requests that were read by id, until RxDB has written them. */
  const details = new Map<string, RequestRecord>()
  /** Keys of documents that were given to RxDB, until they are written. */
  const pending = new Set<string>()
  /**
   * The keys that were already pending when the round began. RxDB writes nothing for unchanged documents, so
   * these are forgotten when the next round begins.
   */
  let pendingAtRoundStart: readonly string[] = []
  const receipt = createWindowReceipt(db, report)
  return {
    isRead: (key: string) => stamps.has(key),
    /** True if it was read after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    /** The request must be read again in this round. */
    unread: (key: string) => void stamps.delete(key),
    /** Notes documents that are given to RxDB. @param range of the round whose page has them */
    noteWrites(docs: readonly RequestRecord[], range: Range | null = null) {
      for (const { key } of docs) pending.add(key)
      if (range === 'window') receipt.noteWrites(docs)
    },
    /** Notes a request that was read by id and is given to RxDB. */
    noteDetail(doc: RequestRecord) {
      details.set(doc.key, doc)
      pending.add(doc.key)
    },
    /** True if RxDB is about to write the request. */
    isBeingWritten: (key: string) => pending.has(key),
    /** RxDB has written the request. */
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      pending.delete(key)
      if (_deleted || (details.get(key)?.readStamp ?? '') <= readStamp) details.delete(key)
      receipt.wrote(key)
    },
    windowRead: receipt.read,
    /** Forgets pending reads, because a full device may have refused them (RULES ST4). */
    unsettled: () => details.clear(),
    /** The device has refused documents, so none is about to be written. */
    refused() {
      pending.clear()
      pendingAtRoundStart = []
    },
    beginRound(range: Range) {
      stamps.clear()
      for (const key of pendingAtRoundStart) pending.delete(key)
      pendingAtRoundStart = [...pending]
      if (range === 'window') receipt.begin()
    },

    /** The records on the device, or the newer ones that are about to be written. */
    local: (keys: readonly string[]) => localOrRead(db, details, keys),
  }
}

/** The records on the device, or the newer ones of `details`, by key. */
async function localOrRead(
  db: SyncDatabase,
  details: ReadonlyMap<string, RequestRecord>,
  keys: readonly string[],
): Promise<Map<string, RequestRecord>> {
  const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
  for (const key of keys) {
    const read = details.get(key)
    // RxDB does not write unchanged documents, so a pending one may be older than the device's.
    if (read && read.readStamp >= (local.get(key)?.readStamp ?? '')) local.set(key, read)
  }
  return local
}

/** The receipt of the window, which is written when all its rows are stored. */
function createWindowReceipt(db: SyncDatabase, report: (problem: string) => void) {
  let pending: { at: string; because: string } | null = null
  /** Keys of this round's rows that have not arrived yet. */
  const coming = new Set<string>()

  function storeIfComplete() {
    if (pending === null || coming.size > 0) return
    const row = receiptRow(WINDOW_LIST.collection, { owner: WINDOW_LIST.owner, stamp: '', ...pending })
    pending = null
    // On a full or closing device, the next window writes it.
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    begin() {
      pending = null
      coming.clear()
    },
    noteWrites(docs: readonly RequestRecord[]) {
      for (const { key } of docs) coming.add(key)
    },
    /**
     * The window was read to its end.
     * @param at when the round began, ISO 8601
     * @param unreadDays days with unreadable rows
     */
    read(at: string, unreadDays: Iterable<string>) {
      pending = { at, because: [...unreadDays].join(UNREAD_DAYS_BY) }
      storeIfComplete()
    },
    wrote(key: string) {
      coming.delete(key)
      storeIfComplete()
    },
  }
}
