/**
 * Removes deleted documents from the storage (RULES EX4). RxDB stores a deleted document with its whole
 * content, and the replication stores its last known version separately.
 *
 *     deleted ─→ remove the document ─→ remove the replication's metadata of it
 *
 * The document goes first: a later one with the same key is then new. In the other order it would look like a
 * write that is still to be pushed, and no pull would overwrite it. If the replication has not processed the
 * removal yet (no signal), the document still goes, because a removed change has ended. RxDB may write its
 * metadata afterwards, so each run looks for it again.
 */
import { deviceRows } from '../storage/device-rows.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { whenIdle } from '../lib/yield-to-screen.ts'

/** A running query of any tab may still need the document. */
const DELETED_FOR_MS = 60_000

/** The part of an `RxReplicationState` that is used. */
export interface Replicating {
  collection: { name: string }
}

interface Parts {
  db: SyncDatabase
  replications: readonly Replicating[]
  /** Epoch ms of the clock that stamps RxDB's writes. */
  now: () => number
}

/**
 * Returns a function to call now and then: it cleans one collection after the other, while the screen is
 * idle.
 */
export function createCleanUp({ db, replications, now }: Parts): () => Promise<void> {
  let isFirst = true
  /** By collection: keys of documents that were removed before the replication had processed them. */
  const unheard = new Map<string, Set<string>>()
  return async () => {
    const age = { now: now(), deletedForMs: DELETED_FOR_MS }
    for (const collection of Object.values(db.collections)) {
      await whenIdle()
      const own = replications.find((each) => each.collection.name === collection.name)
      const cleaning = deviceRows(db)?.cleaningOf(collection, own)
      if (!cleaning) continue
      const { removed, early } = await cleaning.removeDeleted(age)
      const again = unheard.get(collection.name) ?? new Set()
      for (const key of early) again.add(key)
      unheard.set(collection.name, again)
      // A crash may have come between a document and its metadata.
      const keys = isFirst ? null : [...new Set([...removed, ...again])]
      if (keys === null || keys.length > 0) await cleaning.forget(age, keys)
    }
    isFirst = false
  }
}
