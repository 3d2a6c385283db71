/**
 * What was deleted in one collection, and what its replication knows of it, as RxDB keeps both. In: the collection's store
 * and the replication's. Out: the keys of what went.
 */
import {
  createRevision,
  normalizeMangoQuery,
  prepareQuery,
  type RxDocumentData,
  type RxStorageInstance,
  type WithDeleted,
} from 'rxdb/plugins/core'

export type StoredDoc = Record<string, unknown>
export type Store<D> = RxStorageInstance<D, unknown, unknown>

/** What a replication keeps of a document, beside its own checkpoints. */
export interface Known {
  id: string
  itemId: string
  isCheckpoint: string
  docData?: WithDeleted<unknown>
}

/** An `RxReplicationState`, as far as it is looked at. */
export interface Replicating {
  metaInstance?: unknown
  push?: unknown
}

/** Epoch ms of the clock by which RxDB stamps its writes, and for how long something must have been deleted. */
export interface Age {
  now: number
  deletedForMs: number
}

export interface Cleaning {
  /** @returns the keys of what went, and of these what the replication has not heard of */
  removeDeleted(age: Age): Promise<{ gone: string[]; early: string[] }>
  /**
   * What is known of documents that are there no more.
   * @param keys of documents that went; null: of all that something is known of
   */
  forget(age: Age, keys: readonly string[] | null): Promise<void>
}

export function cleaningOf(store: Store<StoredDoc>, known: Store<Known> | undefined): Cleaning {
  const primary = store.schema.primaryKey as string
  const keyOf = (doc: StoredDoc) => String(doc[primary])
  return {
    async removeDeleted({ now, deletedForMs }) {
      const deleted = await found(store, { _deleted: { $eq: true } })
      const old = deleted.filter(({ _meta }) => _meta.lwt < now - deletedForMs)
      const gone = old.map(keyOf)
      if (old.length === 0) return { gone: [], early: [] }
      const heard = new Map(
        (known ? await knownOf(known, gone) : []).map((row) => [row.itemId, row.docData?._deleted]),
      )
      // `o`: written by the pull
      const isSettled = (doc: RxDocumentData<StoredDoc>) =>
        !known || (heard.get(keyOf(doc)) ?? Reflect.get(doc._meta, 'o') !== undefined)
      const unsettled = old.filter((doc) => !isSettled(doc))
      await store.cleanup(deletedForMs)
      return { gone, early: unsettled.map(keyOf) }
    },

    async forget({ now, deletedForMs }, keys) {
      if (!known) return
      const rows = keys ? await knownOf(known, keys) : await found(known, { isCheckpoint: { $eq: '0' } })
      const old = rows.filter(({ _meta }) => _meta.lwt < now - deletedForMs)
      const docs = await store.findDocumentsById(
        old.map(({ itemId }) => itemId),
        true,
      )
      const there = new Set(docs.map(keyOf))
      const gone = old.filter(({ itemId }) => !there.has(itemId))
      const writes = gone.map((previous) => ({
        previous,
        document: { ...previous, _deleted: true, _rev: createRevision('cleanup', previous) },
      }))
      if (writes.length > 0) await known.bulkWrite(writes, 'cleanup')
      await known.cleanup(deletedForMs)
    },
  }
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
