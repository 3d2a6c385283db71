/**
 * What was read of single requests and RxDB has perhaps not written yet (RULES trap 14): a page of a search knows less, and
 * what was read in this round is not read again.
 */
import type { RequestRecord } from '#schemas/request.ts'
import type { SyncDatabase } from '../storage/database.ts'

export type RequestMemory = ReturnType<typeof createRequestMemory>

export function createRequestMemory(db: SyncDatabase) {
  /** By key: the stamp of the read, in this round. */
  const stamps = new Map<string, string>()
  /** While pages come: as it was read whole. */
  const whole = new Map<string, RequestRecord>()
  return {
    isRead: (key: string) => stamps.has(key),
    /** It was read anew after this stamp. */
    isReadSince: (key: string, stamp: string) => (stamps.get(key) ?? '') > stamp,
    read: (key: string, stamp: string) => void stamps.set(key, stamp),
    keep: (record: RequestRecord) => void whole.set(record.key, record),
    /** A new round. */
    again: () => stamps.clear(),
    /** No page comes any more. */
    forget: () => whole.clear(),

    /** What the device has, or is about to have. */
    async local(keys: readonly string[]): Promise<Map<string, RequestRecord>> {
      const docs = await db.requests.findByIds([...keys]).exec()
      const unwritten = keys.flatMap((key) => whole.get(key) ?? [])
      const records = [...[...docs.values()].map((doc) => doc.toMutableJSON()), ...unwritten]
      return new Map(records.map((one) => [one.key, one]))
    },
  }
}
