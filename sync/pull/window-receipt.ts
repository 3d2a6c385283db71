/**
 * Says on the device that the window of requests was read to its end, and when that round began (RULES PL4): without it
 * no screen may say that a day has none; nor of a day that has a row which could not be read. Said once the rows of its last
 * page are there, not when they are given (trap 14).
 */
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/prefetch.ts'
import { receiptRow } from '../storage/interests.ts'
import type { SyncDatabase } from '../storage/database.ts'

interface Parts {
  db: Pick<SyncDatabase, 'interests'>
  report: (problem: string) => void
}

export function createWindowReceipt({ db, report }: Parts) {
  let awaited: { at: string; keys: Set<string>; because: string } | null = null

  function keepWhereThere() {
    if (awaited === null || awaited.keys.size > 0) return
    const { at, because } = awaited
    awaited = null
    const row = receiptRow(WINDOW_LIST.collection, { owner: WINDOW_LIST.owner, because, stamp: '', at })
    // a full device or one that is closing: the next window says it
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    /**
     * @param at ISO 8601, when the round began
     * @param keys of the rows that its last page gives
     * @param unreadDays of rows that could not be read
     */
    read(at: string, keys: readonly string[], unreadDays: Iterable<string>) {
      awaited = { at, keys: new Set(keys), because: [...unreadDays].join(UNREAD_DAYS_BY) }
      keepWhereThere()
    },
    /** RxDB has written it. */
    wrote(key: string) {
      awaited?.keys.delete(key)
      keepWhereThere()
    },
  }
}
