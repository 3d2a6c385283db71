/**
 * Stores on the device that the window of requests was read to its end, and when that round began (RULES PL4).
 * Without this receipt no screen says that a day has no requests, and with it not for a day with an unreadable
 * row. It is written when all rows of the window are stored, not when they were passed to RxDB (trap 14): a
 * nearly full device may store the last page and not the one before it.
 */
import { UNREAD_DAYS_BY, WINDOW_LIST } from '#schemas/collections/prefetch-keys.ts'
import { receiptRow } from '#sync/storage/interests.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'

interface Parts {
  db: Pick<SyncDatabase, 'interests'>
  report: (problem: string) => void
}

export function createWindowReceipt({ db, report }: Parts) {
  let pending: { at: string; because: string } | null = null
  /** Keys of this round's rows that have not arrived yet. */
  const coming = new Set<string>()

  function storeIfComplete() {
    if (pending === null || coming.size > 0) return
    const { at, because } = pending
    pending = null
    const row = receiptRow(WINDOW_LIST.collection, { owner: WINDOW_LIST.owner, because, stamp: '', at })
    // On a full or closing device, the next window writes it.
    db.interests.upsert(row).catch((error: unknown) => report(`window receipt: ${String(error)}`))
  }

  return {
    /** A round over the window begins. */
    begun() {
      pending = null
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
      pending = { at, because: [...unreadDays].join(UNREAD_DAYS_BY) }
      storeIfComplete()
    },
    /** RxDB has written this request. */
    wrote(key: string) {
      coming.delete(key)
      storeIfComplete()
    },
  }
}
