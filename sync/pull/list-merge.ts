/** What the rows of a list change on the device (RULES PL1–PL3). */
import type { WithDeleted } from 'rxdb'
import { mergeRows } from '../merge/merge-rows.ts'
import type { LocalRecord, PulledRow } from '../merge/pulled-row.ts'
import type { RecordList } from '../resources/pull-resource.ts'
import { dependentsOf } from '../retention/dependents.ts'
import type { RecordPullParts } from './record-pull.ts'

type MergeParts<R extends LocalRecord> = Pick<
  RecordPullParts<R>,
  'db' | 'name' | 'collection' | 'resource' | 'ledger' | 'loginUserId'
>

interface MergedRows<R> {
  rows: PulledRow<R>[]
  /** Of rows that the CRM has, and that could not be read. */
  skippedIds: string[]
  /** The stamp as of which the list is complete: what it lacks goes; null where it says nothing of what it lacks. */
  completeAsOf: string | null
  /** The stamp of the read. */
  stamp: string
}

export async function mergeList<R extends LocalRecord>(
  parts: MergeParts<R>,
  list: RecordList,
  { rows, skippedIds, completeAsOf, stamp }: MergedRows<R>,
): Promise<WithDeleted<R>[]> {
  const { db, name, ledger, loginUserId } = parts
  const ids = rows.map(({ id }) => id)
  const local = await localOf(parts, list.owner, ids)
  const { onRecord } = await dependentsOf(db)
  return mergeRows({
    resource: name,
    rows,
    local,
    skippedIds,
    stamp,
    completeAsOf,
    loginUserId,
    isKept: (record) => onRecord(name, record),
    ledger: await ledger.read(local.flatMap(({ changes = [] }) => changes.map(({ id }) => id))),
  })
}

/** As they are now: what was saved, sent or refused during a read must not be written over (PL3, SV3). */
export async function localOf<R extends LocalRecord>(
  parts: Pick<MergeParts<R>, 'collection' | 'resource'>,
  owner: string,
  ids: readonly string[] = [],
): Promise<R[]> {
  const { collection, resource } = parts
  const ofList = await findRecords(collection, resource.localSelector(owner))
  const isHeld = isPushed(collection) && ids.length > 0
  const holding = isHeld ? await findRecords(collection, { serverId: { $in: [...ids] } }) : []
  return [...new Map([...ofList, ...holding].map((record) => [record.key, record])).values()]
}

type Collection<R extends LocalRecord> = MergeParts<R>['collection']

/** Its records travel to the CRM, too. */
export const isPushed = <R extends LocalRecord>(collection: Collection<R>): boolean =>
  'serverId' in collection.schema.jsonSchema.properties

export async function findRecords<R extends LocalRecord>(
  collection: Collection<R>,
  selector: object,
): Promise<R[]> {
  const docs = await collection.find({ selector }).exec()
  return docs.map((doc) => doc.toJSON() as R)
}
