/**
 * Remembers reads that RxDB may not have written yet (RULES trap 14). So a search page, which has no details,
 * does not overwrite details just read; no request is read twice in a round; and a request that is about to be
 * confirmed does not expire.
 */
import type { WithDeleted } from 'rxdb'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys } from '#sync/storage/read-once.ts'

export type RequestMemory = ReturnType<typeof createRequestMemory>

export function createRequestMemory(db: SyncDatabase) {
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
  return {
    isRead: (key: string) => stamps.has(key),
    /** True if it was read after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    /** The request must be read again in this round. */
    unread: (key: string) => void stamps.delete(key),
    keep: (record: RequestRecord) => void details.set(record.key, record),
    give(docs: readonly RequestRecord[]) {
      for (const { key } of docs) pending.add(key)
    },
    /** True if RxDB is about to write the request. */
    isGiven: (key: string) => pending.has(key),
    /** RxDB has written the request. */
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      pending.delete(key)
      if (_deleted || (details.get(key)?.readStamp ?? '') <= readStamp) details.delete(key)
    },
    /** Forgets pending reads, because a full device may have refused them (RULES ST4). */
    unsettled: () => details.clear(),
    /** The device has refused documents, so none is about to be written. */
    refused() {
      pending.clear()
      pendingAtRoundStart = []
    },
    /** Starts a new round. */
    again() {
      stamps.clear()
      for (const key of pendingAtRoundStart) pending.delete(key)
      pendingAtRoundStart = [...pending]
    },

    /** The records on the device, or the newer ones that are about to be written. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        const read = details.get(key)
        // RxDB does not write unchanged documents, so a pending one may be older than the device's.
        if (read && read.readStamp >= (local.get(key)?.readStamp ?? '')) local.set(key, read)
      }
      return local
    },
  }
}
