/**
 * Says on the device that the window of requests was read to its end, and when that round began (RULES PL4): without it
 * no screen may say that a day has none; nor of a day that has a row which could not be read. Said once all that its pages
 * give is there, not when it is given (trap 14): a nearly full device may write the last page, and not the one before it.
 */
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch-keys.ts'
import { receiptRow } from '#sync/storage/interests.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'

interface Parts {
  db: Pick<SyncDatabase, 'interests'>
  report: (problem: string) => void
}

export function createWindowReceipt({ db, report }: Parts) {
  let awaited: { at: string; because: string } | null = null
  /** Keys of rows that the pages of this round give, until they are there. */
  const coming = new Set<string>()

  function keepWhereThere() {
    if (awaited === null || coming.size > 0) return
    const { at, because } = awaited
    awaited = null
    const row = receiptRow(WINDOW_LIST.collection, { owner: WINDOW_LIST.owner, because, stamp: '', at })
    // a full device or one that is closing: the next window says it
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    /** A round over the window. */
    begun() {
      awaited = null
      coming.clear()
    },
    /** A page of it gives these. */
    gives(keys: readonly string[]) {
      for (const key of keys) coming.add(key)
    },
    /**
     * To its end.
     * @param at ISO 8601, when the round began
     * @param unreadDays of rows that could not be read
     */
    read(at: string, unreadDays: Iterable<string>) {
      awaited = { at, because: [...unreadDays].join(UNREAD_DAYS_BY) }
      keepWhereThere()
    },
    /** RxDB has written it. */
    wrote(key: string) {
      coming.delete(key)
      keepWhereThere()
    },
  }
}
