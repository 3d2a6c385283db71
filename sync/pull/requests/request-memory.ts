/**
 * Remembers the requests that a round has read, and the documents that RxDB may not have written yet (RULES trap 14). The
 * receipt of the window states that a round read the window to its end and that all its rows are stored: only then may a
 * screen say that a day has no requests (RULES PL4).
 */
import type { WithDeleted } from 'rxdb'
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { PullEngine } from '#sync/pull/engine/engine.ts'
import type { PullServices } from '#sync/pull/engine/work.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { receiptRow } from '#sync/storage/fetch-requests.ts'
import { readByKeys } from '#sync/storage/device-rows.ts'

export interface RequestReads extends PullServices {
  supplierStaffId: string
  memory: ReturnType<typeof createRequestMemory>
  engine: PullEngine<WithDeleted<RequestRecord>>
}

export function createRequestMemory(db: SyncDatabase, report: (problem: string) => void) {
  /** By key of a request: the stamp of its read in this round. */
  const stamps = new Map<string, string>()
  /** By key: the documents that RxDB has received and not written yet. */
  const coming = new Map<string, RequestRecord>()
  /** Keys of `coming` that the next round forgets, because RxDB never writes a document that is unchanged. */
  let comingAtRoundStart: readonly string[] = []
  /** The receipt of the window, and the keys of the documents that it waits for; null if there is nothing to write. */
  let receipt: { at: string; basis: string; awaited: Set<string> } | null = null

  function storeReceipt() {
    if (receipt === null || receipt.awaited.size > 0) return
    const row = receiptRow(WINDOW_LIST.collection, { ...receipt, owner: WINDOW_LIST.owner, stamp: '' })
    receipt = null
    // If the device is full or closing, the next round over the window writes the receipt.
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    isRead: (key: string) => stamps.has(key),
    /** True if the request was read after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    unread: (key: string) => void stamps.delete(key),
    noteWrites(docs: readonly RequestRecord[]) {
      for (const doc of docs) coming.set(doc.key, doc)
    },
    isBeingWritten: (key: string) => coming.has(key),
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      if (!_deleted && (coming.get(key)?.readStamp ?? '') > readStamp) return
      coming.delete(key)
      receipt?.awaited.delete(key)
      storeReceipt()
    },
    /** @param at when the round began, ISO 8601. @param unreadDays days with unreadable rows */
    windowRead(at: string, unreadDays: Iterable<string>) {
      receipt = { at, basis: [...unreadDays].join(UNREAD_DAYS_BY), awaited: new Set(coming.keys()) }
      storeReceipt()
    },
    /** The device has refused documents, so no document is about to be written. */
    refused() {
      coming.clear()
      receipt = null
    },
    beginRound() {
      stamps.clear()
      for (const key of comingAtRoundStart) coming.delete(key)
      comingAtRoundStart = [...coming.keys()]
    },
    /** The records by key: from `coming` if `coming` has newer details, otherwise from the device. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        const read = coming.get(key)
        if (read && read.detailConfirmedAt > (local.get(key)?.detailConfirmedAt ?? '')) local.set(key, read)
      }
      return local
    },
  }
}
