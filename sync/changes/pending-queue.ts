/** Reads the pending changes: those that RxDB's push has passed on and that are not settled. */
import { entriesOf, queueOf, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Work } from './job.ts'

/** A page frozen for this long during a read may have mixed old and new results, so it reads again (RULES OR1). */
const READ_ANEW_MS = 10_000

/** The pending changes in the order of saving. Settled changes are removed from the pending ones. */
export async function readQueue({ store, pending, elapsed }: Work): Promise<QueueItem[]> {
  if (pending.size === 0) return []
  const begun = elapsed()
  // changes saved during the read are not in its result
  const refs = [...pending.values()]
  const read = () => store.records(refs)
  const first = await read()
  const records = elapsed() - begun < READ_ANEW_MS ? first : await read()
  const open = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  for (const { id } of refs) if (!open.has(id)) pending.delete(id)
  return queueOf(records, entriesOf(records)).filter(({ change }) => pending.has(change.id))
}
