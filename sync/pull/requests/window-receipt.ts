/**
 * Records on the device that the window of requests was read to its end, and when that round began (RULES
 * PL4). Without it no screen may say that a day has no requests; nor for a day with an unreadable row. It is
 * written when all rows of the window have arrived, not when they were given to RxDB (trap 14): a nearly full
 * device may write the last page and not the one before it.
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
  /** Keys of this round's rows that have not arrived yet. */
  const coming = new Set<string>()

  function keepWhereThere() {
    if (awaited === null || coming.size > 0) return
    const { at, because } = awaited
    awaited = null
    const row = receiptRow(WINDOW_LIST.collection, { owner: WINDOW_LIST.owner, because, stamp: '', at })
    // On a full or closing device, the next window writes it.
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    /** A round over the window begins. */
    begun() {
      awaited = null
      coming.clear()
    },
    /** A page contains these keys. */
    gives(keys: readonly string[]) {
      for (const key of keys) coming.add(key)
    },
    /**
     * The window was read to its end.
     * @param at when the round began, ISO 8601
     * @param unreadDays days with unreadable rows
     */
    read(at: string, unreadDays: Iterable<string>) {
      awaited = { at, because: [...unreadDays].join(UNREAD_DAYS_BY) }
      keepWhereThere()
    },
    /** RxDB has written this request. */
    wrote(key: string) {
      coming.delete(key)
      keepWhereThere()
    },
  }
}
