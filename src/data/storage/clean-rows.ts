/**
 * Deletes old deleted rows by the index on `_deleted`. RxDB's own cleanup reads every document to find them
 * (RULES EX4).
 */
import { abortError, type DeviceInternals } from './docs-table.ts'

/** The stored form of `_deleted: true`: Dexie cannot index booleans. */
const DELETED = '1'

/**
 * Deletes rows that were marked deleted long enough ago.
 * @param minimumDeletedTime in milliseconds
 */
export async function cleanRows(internals: DeviceInternals, minimumDeletedTime: number): Promise<void> {
  const ranges = await internals.ranges()
  const { transaction, docs } = await internals.begin('readwrite')
  const before = Date.now() - minimumDeletedTime
  const deleted = docs.index(`[_deleted+${internals.primaryPath}]`)
  // From '1' to anything after it: in IndexedDB arrays sort after strings.
  const all = ranges.bound([DELETED], [DELETED, []])
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(abortError(transaction)))
    const next = deleted.openCursor(all)
    next.addEventListener('success', () => {
      const cursor = next.result
      if (!cursor) return
      const { _meta: meta } = cursor.value as { _meta: { lwt: number } }
      if (meta.lwt < before) cursor.delete()
      cursor.continue()
    })
  })
}
