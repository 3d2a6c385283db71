/**
 * Cleaning up by the index of what is deleted: RxDB's own would read every document there is to find the few that are
 * (RULES EX4). In: how long ago it was deleted at least. Out: nothing; the rows are gone.
 */
import { abortError, type DeviceInternals } from './docs-table.ts'

/** As Dexie writes it: booleans cannot be indexed. */
const DELETED = '1'

/** @param minimumDeletedTime in milliseconds */
export async function cleanRows(internals: DeviceInternals, minimumDeletedTime: number): Promise<void> {
  const ranges = await internals.ranges()
  const { transaction, docs } = await internals.begin('readwrite')
  const before = Date.now() - minimumDeletedTime
  const deleted = docs.index(`[_deleted+${internals.primaryPath}]`)
  // '1' and everything after it: an array sorts after every text
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
