/**
 * What was deleted leaves the storage too (RULES EX4). RxDB keeps a deleted document with its whole content, and the
 * replication what it last knew of it, in a store of its own.
 *
 *     deleted ─→ the document goes ─→ what the replication knew of it goes
 *
 * The document goes first: a later one of the same key is then simply new. The other way round it would be taken for a
 * write that is still to be pushed, and nothing of the CRM would ever be written over it. Where the replication has not
 * heard of the removal yet (no signal), a document that only mirrored the CRM goes all the same: its push has nothing to
 * send. RxDB may still have it in hand, and write what it knows of it afterwards: that is looked for again each time.
 */
import {
  createRevision,
  normalizeMangoQuery,
  prepareQuery,
  type RxDocumentData,
  type RxStorageInstance,
  type WithDeleted,
} from 'rxdb/plugins/core'
import type { SyncDatabase } from '../storage/database.ts'
import { whenIdle } from '../runtime/yield-to-screen.ts'

/** A query that is under way, of whatever tab, may still need it. */
const DELETED_FOR_MS = 60_000

type Stored = Record<string, unknown>
type Store<D> = RxStorageInstance<D, unknown, unknown>

/** What a replication keeps of a document, beside its own checkpoints. */
interface Known {
  id: string
  itemId: string
  isCheckpoint: string
  docData?: WithDeleted<unknown>
}

/** An `RxReplicationState`, as far as it is looked at. */
export interface Replicating {
  collection: { name: string }
  metaInstance?: unknown
  push?: unknown
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
    const before = now() - DELETED_FOR_MS
    for (const collection of Object.values(db.collections)) {
      await whenIdle()
      const store = collection.storageInstance as unknown as Store<Stored>
      const own = replications.find((each) => each.collection.name === collection.name)
      const known = own?.push ? (own.metaInstance as Store<Known> | undefined) : undefined
      if (own?.push && !known) continue
      const { gone, early } = await cleanDocuments(store, known, before)
      if (!known) continue
      const again = unheard.get(collection.name) ?? new Set()
      for (const key of early) again.add(key)
      unheard.set(collection.name, again)
      // a crash may have come between a document and what was known of it
      const keys = isFirst ? null : [...new Set([...gone, ...again])]
      if (keys === null || keys.length > 0) await forget(store, known, keys, before)
    }
    isFirst = false
  }
}

/**
 * @returns the keys of what went, and of these what the replication has not heard of: nothing goes while something unsent
 * is among what was deleted
 */
async function cleanDocuments(
  store: Store<Stored>,
  known: Store<Known> | undefined,
  before: number,
): Promise<{ gone: string[]; early: string[] }> {
  const primary = store.schema.primaryKey as string
  const deleted = await found(store, { _deleted: { $eq: true } })
  const old = deleted.filter(({ _meta }) => _meta.lwt < before)
  const keyOf = (doc: Stored) => String(doc[primary])
  const gone = old.map(keyOf)
  if (old.length === 0) return { gone, early: [] }
  const heard = new Map(
    (known ? await knownOf(known, gone) : []).map((row) => [row.itemId, row.docData?._deleted]),
  )
  // `o`: written by the pull
  const isSettled = (doc: RxDocumentData<Stored>) =>
    !known || (heard.get(keyOf(doc)) ?? Reflect.get(doc._meta, 'o') !== undefined)
  const unsettled = old.filter((doc) => !isSettled(doc))
  if (unsettled.some(hasUnsent)) return { gone: [], early: [] }
  await store.cleanup(DELETED_FOR_MS)
  return { gone, early: unsettled.map(keyOf) }
}

const hasUnsent = ({ changes }: Stored) => Array.isArray(changes) && changes.length > 0

/**
 * What is known of documents that are there no more.
 * @param keys of documents that went; null: of all that something is known of
 */
async function forget(
  store: Store<Stored>,
  known: Store<Known>,
  keys: readonly string[] | null,
  before: number,
): Promise<void> {
  const rows = keys ? await knownOf(known, keys) : await found(known, { isCheckpoint: { $eq: '0' } })
  const old = rows.filter(({ _meta }) => _meta.lwt < before)
  const docs = await store.findDocumentsById(
    old.map(({ itemId }) => itemId),
    true,
  )
  const primary = store.schema.primaryKey as string
  const there = new Set(docs.map((doc) => String(doc[primary])))
  const gone = old.filter(({ itemId }) => !there.has(itemId))
  const writes = gone.map((previous) => ({
    previous,
    document: { ...previous, _deleted: true, _rev: createRevision('cleanup', previous) },
  }))
  if (writes.length > 0) await known.bulkWrite(writes, 'cleanup')
  await known.cleanup(DELETED_FOR_MS)
}

const knownOf = (known: Store<Known>, keys: readonly string[]) =>
  known.findDocumentsById(
    keys.map((key) => `${key}|0`),
    false,
  )

async function found<D>(store: Store<D>, selector: object): Promise<RxDocumentData<D>[]> {
  const query = normalizeMangoQuery(store.schema, { selector })
  const { documents } = await store.query(prepareQuery(store.schema, query))
  return documents
}
