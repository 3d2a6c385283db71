/**
 * Remembers single reads that RxDB may not have written yet (RULES trap 14): a search page contains less, a
 * request is not read twice in a round, and a request about to be confirmed has not expired.
 */
import type { WithDeleted } from 'rxdb'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys } from '#sync/storage/read-once.ts'

export type RequestMemory = ReturnType<typeof createRequestMemory>

export function createRequestMemory(db: SyncDatabase) {
  /** Stamp of the read in this round, by key. */
  const stamps = new Map<string, string>()
  /** Whole requests, until RxDB has written them. */
  const whole = new Map<string, RequestRecord>()
  /** Keys of documents that were given to RxDB, until they are written. */
  const given = new Set<string>()
  /**
   * Those of them that were pending when the round began. RxDB writes nothing for unchanged documents, so
   * these are forgotten with the next round.
   */
  let before: readonly string[] = []
  return {
    isRead: (key: string) => stamps.has(key),
    /** True if it was read after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    /** It must be read again. */
    unread: (key: string) => void stamps.delete(key),
    keep: (record: RequestRecord) => void whole.set(record.key, record),
    give(docs: readonly RequestRecord[]) {
      for (const { key } of docs) given.add(key)
    },
    /** True if it is about to be written. */
    isGiven: (key: string) => given.has(key),
    /** It is on the device, in this or a later state. */
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      given.delete(key)
      if (_deleted || (whole.get(key)?.readStamp ?? '') <= readStamp) whole.delete(key)
    },
    /** Forgets pending reads, because a full device may have refused them (RULES ST4). */
    unsettled: () => whole.clear(),
    /** The device has refused documents: none is about to be written. */
    refused() {
      given.clear()
      before = []
    },
    /** Starts a new round. */
    again() {
      stamps.clear()
      for (const key of before) given.delete(key)
      before = [...given]
    },

    /** The records on the device, or about to be there. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        const read = whole.get(key)
        // RxDB does not write unchanged documents, so a pending one may be older than the device's.
        if (read && read.readStamp >= (local.get(key)?.readStamp ?? '')) local.set(key, read)
      }
      return local
    },
  }
}
