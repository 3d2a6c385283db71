/**
 * Remembers requests that were read and that RxDB may not have written yet (RULES trap 14). So:
 *
 * - A search page, which has no details, does not overwrite details that were just read.
 * - No request is read twice in a round.
 * - A request that is about to be confirmed does not expire.
 * - The receipt of the window is written only when all rows of the window are stored. A nearly full device may store
 *   the last page and not the page before it.
 *
 * The receipt of the window states that a round read the window to its end, and when that round began. Only then may a
 * screen say that a day has no requests, unless the day has an unreadable row (RULES PL4).
 */
import type { WithDeleted } from 'rxdb'
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch-keys.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { PullEngine, PullServices } from '#sync/pull/engine/engine.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { receiptRow } from '#sync/storage/fetch-requests.ts'
import { readByKeys } from '#sync/storage/device-rows.ts'
import type { Range } from './rounds.ts'

/** The services and memory that all reads of requests share. */
export interface RequestReads extends PullServices {
  supplierStaffId: string
  memory: ReturnType<typeof createRequestMemory>
  engine: PullEngine<WithDeleted<RequestRecord>>
}

export function createRequestMemory(db: SyncDatabase, report: (problem: string) => void) {
  /** By key of a request: the stamp of its read in this round. */
  const stamps = new Map<string, string>()
  /** Requests that were read by id, until RxDB has written them. */
  const details = new Map<string, RequestRecord>()
  /** Keys of documents that RxDB has received and not written yet. */
  const pending = new Set<string>()
  /**
   * Keys that were already pending when the round began. They are forgotten when the next round begins, because RxDB
   * does not write unchanged documents.
   */
  let pendingAtRoundStart: readonly string[] = []
  const receipt = createWindowReceipt(db, report)
  return {
    isRead: (key: string) => stamps.has(key),
    /** True if the request was read after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    unread: (key: string) => void stamps.delete(key),
    /** Notes documents that RxDB receives. @param range the range of the round, if a page of a round has the documents */
    noteWrites(docs: readonly RequestRecord[], range: Range | null = null) {
      for (const { key } of docs) pending.add(key)
      if (range === 'window') receipt.noteWrites(docs)
    },
    noteDetail(doc: RequestRecord) {
      details.set(doc.key, doc)
      pending.add(doc.key)
    },
    isBeingWritten: (key: string) => pending.has(key),
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      pending.delete(key)
      if (_deleted || (details.get(key)?.readStamp ?? '') <= readStamp) details.delete(key)
      receipt.wrote(key)
    },
    windowRead: receipt.read,
    /** Forgets requests that were read by id, because a full device may have refused them (RULES ST4). */
    forgetDetails: () => details.clear(),
    /** The device has refused documents, so no document is about to be written. */
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
    /** The records on the device, by key; newer ones that are not written yet replace them. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        const read = details.get(key)
        // RxDB does not write unchanged documents, so `details` may have an older one than the device.
        if (read && read.readStamp >= (local.get(key)?.readStamp ?? '')) local.set(key, read)
      }
      return local
    },
  }
}

/** Writes the receipt of the window when all rows of the window are stored. */
function createWindowReceipt(db: SyncDatabase, report: (problem: string) => void) {
  /** The receipt to write; null if the window was not read to its end yet, or the receipt is written. */
  let pending: { at: string; basis: string } | null = null
  /** Keys of rows of this round that are not stored yet. */
  const coming = new Set<string>()

  function storeIfComplete() {
    if (pending === null || coming.size > 0) return
    const row = receiptRow(WINDOW_LIST.collection, { owner: WINDOW_LIST.owner, stamp: '', ...pending })
    pending = null
    // If the device is full or closing, the next round over the window writes the receipt.
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
     * Called when the window was read to its end.
     * @param at when the round began, ISO 8601
     * @param unreadDays days with unreadable rows
     */
    read(at: string, unreadDays: Iterable<string>) {
      pending = { at, basis: [...unreadDays].join(UNREAD_DAYS_BY) }
      storeIfComplete()
    },
    wrote(key: string) {
      coming.delete(key)
      storeIfComplete()
    },
  }
}
