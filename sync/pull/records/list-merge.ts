/** Merges the rows of a list into the device (RULES PL1–PL3). */
import type { WithDeleted } from 'rxdb'
import type { StoredRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { mergeRows } from '#sync/merge/merge-rows.ts'
import type { LocalRecord, PulledRow } from '#sync/merge/pulled-row.ts'
import type { RecordList } from '#sync/resources/pull-resource.ts'
import { dependentsOf } from '#sync/retention/dependents.ts'
import { collectionOf } from '#sync/storage/database.ts'
import { asStored, forgetResults, localRecords } from './local-records.ts'
import { readByKeys } from '#sync/storage/read-once.ts'
import type { RecordPullParts } from './record-pull.ts'

type MergeParts<R extends LocalRecord> = Pick<
  RecordPullParts<R>,
  'db' | 'name' | 'collection' | 'resource' | 'loginUserId'
>

interface MergedRows<R> {
  rows: PulledRow<R>[]
  /** Ids of rows that the CRM has and that could not be read. */
  skippedIds: string[]
  /** The list is complete as of this stamp, so missing records are removed; null if it is incomplete. */
  completeAsOf: string | null
  /** The stamp of the read. */
  stamp: string
}

export async function mergeList<R extends LocalRecord>(
  parts: MergeParts<R>,
  list: RecordList,
  { rows, skippedIds, completeAsOf, stamp }: MergedRows<R>,
): Promise<WithDeleted<R>[]> {
  const { db, name, loginUserId } = parts
  const local = await localOf(parts, list.owner, rows)
  const { onRecord } = await dependentsOf(db)
  const stored = await storedOf(parts, local)
  const merged = mergeRows({
    resource: name,
    rows,
    local,
    skippedIds,
    stamp,
    completeAsOf,
    loginUserId,
    isNeeded: (record) => onRecord(name, record),
    isStored: (record) => stored.get(record.key) === (record.server?.stamp ?? ''),
  })
  const removedKeys = merged.filter(({ _deleted }) => _deleted).map(({ key }) => key)
  if (isPushCollection(name)) await forgetResults(db, name, removedKeys, stamp)
  return merged.filter(({ key, _deleted }) => !_deleted || stored.has(key)).map(asStored)
}

/** The stamp of each record that has a document. */
async function storedOf<R extends LocalRecord>(
  { db, name }: MergeParts<R>,
  local: readonly R[],
): Promise<Map<string, string>> {
  if (!isPushCollection(name)) return new Map(local.map(({ key }) => [key, '']))
  const found = await readByKeys(
    collectionOf<StoredRecord>(db, name),
    local.map(({ key }) => key),
  )
  return new Map(found.map(({ key, server }) => [key, server?.stamp ?? '']))
}

/**
 * The local records of a list, read now: what was saved, sent or refused during the read must not be
 * overwritten (PL3, SV3).
 */
export async function localOf<R extends LocalRecord>(
  parts: Pick<MergeParts<R>, 'db' | 'name' | 'collection' | 'resource'>,
  owner: string,
  rows: readonly PulledRow<R>[] = [],
): Promise<R[]> {
  const { name, resource } = parts
  const [ids, keys] = [new Set(rows.map(({ id }) => id)), new Set(rows.map(({ key }) => key))]
  const isOf = (record: R) =>
    resource.ownerOf(record) === owner || ids.has(record.serverId ?? '') || keys.has(record.key)
  const ofList = await localRecords(parts, resource.localSelector(owner), isOf)
  const holding =
    isPushCollection(name) && ids.size > 0 ? await localRecords(parts, { serverId: { $in: [...ids] } }) : []
  return [...new Map([...ofList, ...holding].map((record) => [record.key, record])).values()]
}
