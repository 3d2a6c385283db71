/**
 * The local records of one collection, with local changes applied for push collections (`record-view.ts`).
 */
import type { RxCollection } from 'rxdb'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'
import { recordViews } from '#schemas/changes/record-view.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import { writeChanges } from '#sync/changes/change-states.ts'
import { collectionOf, type KindView, type SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys, readOnce } from '#sync/storage/read-once.ts'

interface Source<R> {
  db: SyncDatabase
  /** Name of the collection. */
  name: string
  collection: RxCollection<R> | KindView<R & object>
}

/**
 * Reads local records.
 * @param selector selects documents
 * @param matches selects the records that exist only as local changes, without a document; by default none
 */
export async function localRecords<R extends LocalRecord>(
  { db, name, collection }: Source<R>,
  selector: object,
  matches: (record: R) => boolean = () => false,
): Promise<R[]> {
  const stored = await findStored(collection, selector)
  if (!isPushCollection(name)) return stored
  const changes = (await readOnce(db.changes, {})).filter(({ resource }) => resource === name)
  if (changes.length === 0) return stored.map((record) => ({ ...record, changes: [] }))
  const found = new Set(stored.map(({ key }) => key))
  // A document that the query did not find may still exist.
  const otherKeys = [...new Set(changes.map(({ recordKey }) => recordKey))].filter((key) => !found.has(key))
  const others = await readByKeys(collectionOf<StoredRecord>(db, name), otherKeys)
  const views = recordViews([...(stored as object[] as StoredRecord[]), ...others], changes)
  const all: object[] = [...views.values()]
  return (all as R[]).filter((view) => found.has(view.key) || matches(view))
}

const findStored = async <R extends LocalRecord>(
  collection: Source<R>['collection'],
  selector: object,
): Promise<R[]> => {
  const docs = await (collection as RxCollection<R>).find({ selector }).exec()
  return docs.map((doc) => doc.toJSON() as R)
}

/** The records that have a document; records that exist only as changes must not be removed. */
export async function withDocument<R extends { key: string }>(
  db: SyncDatabase,
  name: PushCollection,
  records: readonly R[],
): Promise<R[]> {
  const keys = records.map(({ key }) => key)
  const found = await readByKeys(collectionOf<StoredRecord>(db, name), keys)
  const stored = new Set(found.map(({ key }) => key))
  return records.filter(({ key }) => stored.has(key))
}

/** The record as its document, without local changes. */
export const asStored = <R extends object>(record: R): R => {
  const { changes: _, unsent: __, ...stored } = record as R & { changes?: unknown; unsent?: unknown }
  return stored as R
}

/**
 * Deletes the results of accepted changes, because the CRM no longer has these records, or they have expired.
 * @param before only results accepted before this stamp
 */
export async function forgetResults(
  db: SyncDatabase,
  resource: PushCollection,
  keys: readonly string[],
  before = '~',
): Promise<void> {
  if (keys.length === 0) return
  const keySet = new Set(keys)
  const isOutdated = (change: Change) =>
    change.resource === resource &&
    keySet.has(change.recordKey) &&
    change.state === 'accepted' &&
    change.result !== undefined &&
    String(Reflect.get(change.result, 'stamp')) < before
  const outdated = (await readOnce(db.changes, {})).filter(isOutdated)
  if (outdated.length === 0) return
  await writeChanges(
    db.changes,
    new Map(outdated.map(({ id }) => [id, (change) => change && withoutResult(change)])),
  )
}

function withoutResult(change: Change): Change {
  const { result: _, ...rest } = change
  return rest
}
