/** Reads the local records of one collection, with local changes applied, and merges rows and removals into them (PL1–PL3). */
import type { RxCollection, WithDeleted } from 'rxdb'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { recordViews } from '#schemas/changes/record-view.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'
import { writeChanges } from '#sync/changes/change-store.ts'
import { type LocalRecord, mergeRows, type PulledRow } from '#sync/merge/merge-rows.ts'
import type { PullServices } from '#sync/pull/engine/work.ts'
import type { PullResource } from '#sync/resources/resource.ts'
import { dependentsOf } from '#sync/retention/expiry.ts'
import { collectionOf, type KindView, type SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys, readOnce } from '#sync/storage/device-rows.ts'

interface Source<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  /** A collection, or a kind of a shared one. */
  collection: RxCollection<R> | KindView<R>
}

export interface RecordPullParts<R extends LocalRecord> extends PullServices, Source<R> {
  resource: PullResource<R>
  loginUserId: string
  supplierId: string
  /** True while only lists that a screen waits for, and lists with sent records, may be read. */
  isUrgentOnly: () => boolean
}

/** Reads local records. @param matches selects the records that exist only as local changes; by default none */
export async function localRecords<R extends LocalRecord>(
  { db, name, collection }: Source<R>,
  selector: object,
  matches: (record: R) => boolean = () => false,
): Promise<R[]> {
  const docs = await (collection as RxCollection<R>).find({ selector }).exec()
  const stored = docs.map((doc) => doc.toJSON() as R)
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

/** The record as its document, without local changes. */
export const asStored = <R extends object>(record: R): R => {
  const { changes: _, unsent: __, ...stored } = record as R & { changes?: unknown; unsent?: unknown }
  return stored as R
}

/** By key: the stamp of each record that has a document. Others exist only as local changes. */
async function storedStamps(
  db: SyncDatabase,
  name: string,
  records: readonly LocalRecord[],
): Promise<Map<string, string>> {
  const keys = records.map(({ key }) => key)
  if (!isPushCollection(name)) return new Map(keys.map((key) => [key, '']))
  const found = await readByKeys(collectionOf<StoredRecord>(db, name), keys)
  return new Map(found.map(({ key, server }) => [key, server?.stamp ?? '']))
}

type MergeInput<R extends LocalRecord> = Parameters<typeof mergeRows<R>>[0]

export async function mergeList<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  owner: string,
  merged: Pick<MergeInput<R>, 'rows' | 'skippedIds' | 'completeAsOf' | 'stamp'>,
): Promise<WithDeleted<R>[]> {
  const { db, name, loginUserId } = parts
  const local = await localOf(parts, owner, merged.rows)
  const { onRecord } = await dependentsOf(db)
  const stored = await storedStamps(db, name, local)
  const docs = mergeRows({
    ...merged,
    resource: name,
    local,
    loginUserId,
    isNeeded: (record) => onRecord(name, record),
    isStored: (record) => stored.get(record.key) === (record.server?.stamp ?? ''),
  })
  const removedKeys = docs.filter(({ _deleted }) => _deleted).map(({ key }) => key)
  if (isPushCollection(name)) await forgetResults(db, name, removedKeys, merged.stamp)
  return docs.filter(({ key, _deleted }) => !_deleted || stored.has(key)).map(asStored)
}

/** The local records of a list, read after the CRM's answer, so that no change since the call is overwritten (PL3, SV3). */
export async function localOf<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  owner: string,
  rows: readonly PulledRow<R>[] = [],
): Promise<R[]> {
  const { name, resource } = parts
  const [ids, keys] = [new Set(rows.map(({ id }) => id)), new Set(rows.map(({ key }) => key))]
  const isOf = (record: R) =>
    resource.ownerOf(record) === owner || ids.has(record.serverId ?? '') || keys.has(record.key)
  const ofList = await localRecords(parts, resource.localSelector(owner), isOf)
  const withIds =
    isPushCollection(name) && ids.size > 0 ? await localRecords(parts, { serverId: { $in: [...ids] } }) : []
  return [...new Map([...ofList, ...withIds].map((record) => [record.key, record])).values()]
}

/** The removals of expired records. The results of their changes are forgotten. */
export async function removalsOf<R extends LocalRecord>(
  db: SyncDatabase,
  name: string,
  expired: readonly R[],
): Promise<WithDeleted<R>[]> {
  const keys = expired.map(({ key }) => key)
  if (isPushCollection(name)) await forgetResults(db, name, keys)
  const stored = await storedStamps(db, name, expired)
  return expired
    .filter(({ key }) => stored.has(key))
    .map((record) => ({ ...asStored(record), _deleted: true }))
}

/** Deletes the results of accepted changes of these records. @param before only results with an earlier stamp */
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
  const withoutResult = (change: Change | null): Change | null => {
    if (!change) return null
    const { result: _, ...rest } = change
    return rest
  }
  await writeChanges(db.changes, new Map(outdated.map(({ id }) => [id, withoutResult])))
}
