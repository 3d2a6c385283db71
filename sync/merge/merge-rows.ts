/**
 * Computes the documents to write after a list was read (RULES PL1, PL3). Pure. The field `changes` of a record is
 * never modified. A row belongs to the record with its id, else to the one with its key. A record that the CRM no
 * longer has is removed, unless something unsent depends on it.
 */
import { deepEqual, type WithDeleted } from 'rxdb/plugins/core'
import { isCreating } from '#schemas/changes/change-queue.ts'
import type { Change, PushableRecord } from '#schemas/change.ts'
import { withOthersEdits } from './others-edits.ts'

/** The part of a local record that the pull uses. A read-only record has no `changes`. */
export type LocalRecord = { key: string } & Partial<
  Pick<PushableRecord, 'serverId' | 'changes' | 'history'>
> & {
    server?: { stamp: string; detailed: boolean } | undefined
  }

/** A row that was read. */
export interface PulledRow<R> {
  id: string
  /** Key of the new record if the device has no record with this id. */
  key: string
  /**
   * The record with the row's state.
   * @param local the local record, whose changes stay as they are
   */
  record(local: R | undefined, stamp: string): R
  /** True if a create of this record with these fields may have made the row (RULES PL3). */
  isOf?(record: R, fields: object, loginUserId: string): boolean
}

interface MergeInput<R> {
  /** Name of the collection. */
  resource: string
  rows: readonly PulledRow<R>[]
  /** The device's records of this list, and its records of other lists that share an id with a row. */
  local: readonly R[]
  /** Ids of rows that could not be read, although the CRM has them. */
  skippedIds: readonly string[]
  /** Stamp that was made before the read began. */
  stamp: string
  /**
   * Null if the list is incomplete: nothing is removed. Else the stamp of the complete list: records that are missing
   * from the list are removed. A record that can be changed on the device is removed only if its own stamp is earlier.
   */
  completeAsOf: string | null
  /** True if something unsent depends on the record. */
  isNeeded(record: R): boolean
  /**
   * True if the record equals its document on disk. False if the record already contains an accepted change that the
   * document does not contain yet.
   */
  isStored(record: R): boolean
  loginUserId: string
}

/** Returns the documents to write, including deletions. */
export function mergeRows<R extends LocalRecord>(merge: MergeInput<R>): WithDeleted<R>[] {
  const { resource, rows, local, skippedIds, stamp, completeAsOf, isNeeded } = merge
  const idsInCrm = new Set([...rows.map(({ id }) => id), ...skippedIds])
  const duplicates = pulledDuplicates(local, isNeeded)
  const remaining = local.filter((record) => !duplicates.has(record)).toSorted(createdHereFirst)
  const [byServerId, byKey] = [
    firstBy(remaining, ({ serverId }) => serverId),
    firstBy(remaining, ({ key }) => key),
  ]
  const written = rows.flatMap((row) => {
    const match = byServerId.get(row.id) ?? byKey.get(row.key)
    if (!match && isPendingCreate(row, merge)) return []
    // The record was confirmed after this read began: the row is outdated.
    if (match?.server && match.server.stamp > stamp) return []
    const record = withOthersEdits(resource, match, row.record(match, stamp))
    return match && merge.isStored(match) && sameButStamp(match, record)
      ? []
      : [{ ...record, _deleted: false }]
  })
  const keys = new Set(rows.map(({ key }) => key))
  const isUnchangedAndMissing = ({ changes, server, serverId = '' }: R) =>
    changes?.length === 0 &&
    server !== undefined &&
    server.stamp < (completeAsOf ?? '') &&
    !idsInCrm.has(serverId)
  // A read-only record has no `changes` and no id. A row that could not be read may be this record.
  const isReadOnlyAndMissing = ({ changes }: R) => changes === undefined && skippedIds.length === 0
  const isRemoved = (record: R) =>
    !keys.has(record.key) &&
    !isNeeded(record) &&
    (isReadOnlyAndMissing(record) || isUnchangedAndMissing(record))
  const removed = completeAsOf === null ? [] : remaining.filter(isRemoved)
  return [...written, ...[...removed, ...duplicates].map((record) => ({ ...record, _deleted: true }))]
}

/**
 * True if a create whose outcome is unknown may have created this row. The row is skipped until the sender knows the
 * outcome; otherwise the record would be shown twice (PL3), and the read-back would find the id in use.
 */
function isPendingCreate<R extends LocalRecord>(row: PulledRow<R>, { local, loginUserId }: MergeInput<R>) {
  return local.some((record) =>
    ((record.changes ?? []) as Change[]).some((change) => {
      const mayExist = change.state === 'sending' || change.state === 'unknown' || change.serverErrors > 0
      return isCreating(change) && mayExist && row.isOf?.(record, change.fields, loginUserId)
    }),
  )
}

/**
 * Pulled copies of records that this device has created: both have the same CRM id. Copies that something unsent
 * depends on are not included.
 */
function pulledDuplicates<R extends LocalRecord>(
  local: readonly R[],
  isNeeded: (record: R) => boolean,
): ReadonlySet<R> {
  const countById = new Map<string | undefined, number>()
  for (const { serverId } of local) countById.set(serverId, (countById.get(serverId) ?? 0) + 1)
  const isDuplicate = (record: R) =>
    isPulled(record) &&
    record.changes?.length === 0 &&
    (countById.get(record.serverId) ?? 0) > 1 &&
    !isNeeded(record)
  return new Set(local.filter(isDuplicate))
}

/** True if the record was pulled: its key is the CRM's id. */
const isPulled = ({ key, serverId }: LocalRecord) => key === serverId

/** Sorts records that were created here before pulled ones: a row belongs to the first record with its id. */
const createdHereFirst = (a: LocalRecord, b: LocalRecord) => Number(isPulled(a)) - Number(isPulled(b))

/** The first record of each name. */
const firstBy = <R>(records: readonly R[], nameOf: (record: R) => string | undefined) =>
  new Map(records.toReversed().map((record) => [nameOf(record), record]))

function sameButStamp<R extends LocalRecord>(a: R, b: R): boolean {
  const bare = (record: R) => ({ ...record, server: record.server && { ...record.server, stamp: '' } })
  return deepEqual(bare(a), bare(b))
}
