/**
 * What was deleted leaves the storage too (RULES EX4). RxDB keeps a deleted document with its whole content, and the
 * replication what it last knew of it, in a store of its own.
 *
 *     deleted ─→ the document goes ─→ what the replication knew of it goes
 *
 * The document goes first: a later one of the same key is then simply new. The other way round it would be taken for a
 * write that is still to be pushed, and nothing of the CRM would ever be written over it. Where the replication has not
 * heard of the removal yet (no signal), the document goes all the same: a change that was removed has ended. RxDB may still have it in hand, and write what it knows of it afterwards: that is looked for again each time.
 */
import { deviceRows } from '../storage/device-rows.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { whenIdle } from '../lib/yield-to-screen.ts'

/** A query that is under way, of whatever tab, may still need it. */
const DELETED_FOR_MS = 60_000

/** An `RxReplicationState`, as far as it is looked at. */
export interface Replicating {
  collection: { name: string }
}

interface Parts {
  db: SyncDatabase
  replications: readonly Replicating[]
  /** Epoch ms of the clock by which RxDB stamps its writes. */
  now: () => number
}

/** @returns to be called now and then: cleans one collection after the other, when the screen needs nothing */
export function createCleanUp({ db, replications, now }: Parts): () => Promise<void> {
  let isFirst = true
  /** By collection: what went before the replication had heard of it. */
  const unheard = new Map<string, Set<string>>()
  return async () => {
    const age = { now: now(), deletedForMs: DELETED_FOR_MS }
    for (const collection of Object.values(db.collections)) {
      await whenIdle()
      const own = replications.find((each) => each.collection.name === collection.name)
      const cleaning = deviceRows(db)?.cleaningOf(collection, own)
      if (!cleaning) continue
      const { gone, early } = await cleaning.removeDeleted(age)
      const again = unheard.get(collection.name) ?? new Set()
      for (const key of early) again.add(key)
      unheard.set(collection.name, again)
      // a crash may have come between a document and what was known of it
      const keys = isFirst ? null : [...new Set([...gone, ...again])]
      if (keys === null || keys.length > 0) await cleaning.forget(age, keys)
    }
    isFirst = false
  }
}
