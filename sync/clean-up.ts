/**
 * What was deleted leaves the storage too (RULES EX4). RxDB keeps a deleted document with its whole content, and the
 * replication what it last knew of it, in a store of its own.
 *
 *     deleted ─→ the replication knows ─→ the document goes ─→ what the replication knew of it goes
 *
 * The document goes first: a later one of the same key is then simply new. The other way round it would be taken for a
 * write that is still to be pushed, and nothing of the CRM would ever be written over it.
 */
import {
  createRevision,
  normalizeMangoQuery,
  prepareQuery,
  type RxDocumentData,
  type RxStorageInstance,
  type WithDeleted,
} from 'rxdb/plugins/core'
import type { SyncDatabase } from './database.ts'
import { whenIdle } from './slices.ts'

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
  return async () => {
    const before = now() - DELETED_FOR_MS
    for (const collection of Object.values(db.collections)) {
      await whenIdle()
      const store = collection.storageInstance as unknown as Store<Stored>
      const own = replications.find((each) => each.collection.name === collection.name)
      const known = own?.push ? (own.metaInstance as Store<Known> | undefined) : undefined
      if (own?.push && !known) continue
      const keys = await cleanDocuments(store, known, before)
      // a crash may have come between a document and what was known of it
      if (known && (isFirst || keys.length > 0)) await forget(known, isFirst ? null : keys, before)
    }
    isFirst = false
  }
}

/** @returns the keys of what went: nothing while the replication has not heard of all of it */
async function cleanDocuments(
  store: Store<Stored>,
  known: Store<Known> | undefined,
  before: number,
): Promise<string[]> {
  const primary = store.schema.primaryKey as string
  const deleted = await found(store, { _deleted: { $eq: true } })
  const old = deleted.filter(({ _meta }) => _meta.lwt < before)
  const keys = old.map((doc) => String(doc[primary]))
  if (old.length === 0) return []
  if (known) {
    const heard = new Map((await knownOf(known, keys)).map((row) => [row.itemId, row.docData?._deleted]))
    const isSettled = (doc: RxDocumentData<Stored>) =>
      // `o`: written by the pull
      heard.get(String(doc[primary])) ?? Reflect.get(doc._meta, 'o') !== undefined
    if (!old.every(isSettled)) return []
  }
  await store.cleanup(DELETED_FOR_MS)
  return keys
}

/** @param keys of documents that went; null: of all that are deleted */
async function forget(known: Store<Known>, keys: readonly string[] | null, before: number): Promise<void> {
  const rows = keys ? await knownOf(known, keys) : await found(known, { isCheckpoint: { $eq: '0' } })
  const gone = rows.filter(({ docData, _meta }) => docData?._deleted === true && _meta.lwt < before)
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
