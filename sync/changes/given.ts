/** What RxDB's push has given, and is not done. */
import { entriesOf, queueOf, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Work } from './job.ts'

/** A page that is frozen in the middle of a read has some of it from before, and may not know what came first (RULES OR1). */
const READ_ANEW_MS = 10_000

/** What was given and is not done, in the order of saving; what is done is forgotten. */
export async function readQueue({ store, given, elapsed }: Work): Promise<QueueItem[]> {
  if (given.size === 0) return []
  const begun = elapsed()
  // what is saved meanwhile is not in the answer
  const asked = [...given.values()]
  const read = () => store.records(asked)
  const first = await read()
  const records = elapsed() - begun < READ_ANEW_MS ? first : await read()
  const open = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  for (const { id } of asked) if (!open.has(id)) given.delete(id)
  return queueOf(records, entriesOf(records)).filter(({ change }) => given.has(change.id))
}
