/**
 * What was read of single requests and RxDB has perhaps not written yet (RULES trap 14): a page of a search knows less, and
 * what was read in this round is not read again, and what is about to be confirmed has not expired.
 */
import type { WithDeleted } from 'rxdb'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys } from '#sync/storage/read-once.ts'

export type RequestMemory = ReturnType<typeof createRequestMemory>

export function createRequestMemory(db: SyncDatabase) {
  /** By key: the stamp of the read, in this round. */
  const stamps = new Map<string, string>()
  /** As it was read whole, until RxDB has written it. */
  const whole = new Map<string, RequestRecord>()
  /** Given to RxDB, until it is written. */
  const given = new Set<string>()
  /** Of those, which were so when the round began: what RxDB had no need to write is forgotten with the next one. */
  let before: readonly string[] = []
  return {
    isRead: (key: string) => stamps.has(key),
    /** It was read anew after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    /** It is to be read once more. */
    unread: (key: string) => void stamps.delete(key),
    keep: (record: RequestRecord) => void whole.set(record.key, record),
    give(docs: readonly RequestRecord[]) {
      for (const { key } of docs) given.add(key)
    },
    /** It is about to be written. */
    isGiven: (key: string) => given.has(key),
    /** It is on the device: this, or what came after it. */
    wrote({ key, readStamp, _deleted }: WithDeleted<RequestRecord>) {
      given.delete(key)
      if (_deleted || (whole.get(key)?.readStamp ?? '') <= readStamp) whole.delete(key)
    },
    /** What the device has counts: a full one may have refused what was read (RULES ST4). */
    unsettled: () => whole.clear(),
    /** It has refused something: nothing is about to be written. */
    refused() {
      given.clear()
      before = []
    },
    /** A new round. */
    again() {
      stamps.clear()
      for (const key of before) given.delete(key)
      before = [...given]
    },

    /** What the device has, or is about to have. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const local = new Map((await readByKeys(db.requests, keys)).map((row) => [row.key, row]))
      for (const key of keys) {
        const read = whole.get(key)
        // one that RxDB had no need to write may be older by now
        if (read && read.readStamp >= (local.get(key)?.readStamp ?? '')) local.set(key, read)
      }
      return local
    },
  }
}
