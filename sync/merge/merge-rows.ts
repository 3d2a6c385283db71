/**
 * Computes which documents to write after a list of the CRM was read (RULES PL1, PL3). A row belongs to the record
 * with its id, otherwise to the record with its key. A record that the CRM no longer has is removed, unless unsent
 * work depends on it.
 */
import { deepEqual, type WithDeleted } from 'rxdb/plugins/core'
import { isCreating } from '#schemas/changes/change-queue.ts'
import type { Change, PushableRecord } from '#schemas/change.ts'
import { withOthersEdits } from './merge.ts'

/** The fields of a local record that the merge uses. A read-only record has no `changes`. */
export type LocalRecord = { key: string } & Partial<
  Pick<PushableRecord, 'serverId' | 'changes' | 'history'>
> & {
    server?: { stamp: string; detailed: boolean } | undefined
  }

export interface PulledRow<R> {
  id: string
  /** Key that the record gets if the device has no record with this id. */
  key: string
  /** Returns the record with the row's values. The changes of the local record stay. */
  record(local: R | undefined, stamp: string): R
  /** True if the record's unsent create, with these fields, may have made the row (RULES PL3). */
  isOf?(record: R, fields: object, loginUserId: string): boolean
}

interface MergeInput<R> {
  resource: string
  rows: readonly PulledRow<R>[]
  /** The records of this list on the device, and records of other lists that have the id of a row. */
  local: readonly R[]
  skippedIds: readonly string[]
  stamp: string
  /** Stamp of a complete list, before which a removed record was read; null: an incomplete list, which removes nothing. */
  completeAsOf: string | null
  isNeeded(record: R): boolean
  /** False if the record has the result of an accepted change, which its stored document does not contain yet. */
  isStored(record: R): boolean
  loginUserId: string
}

/** Returns the documents to write. A removed record has `_deleted`. */
export function mergeRows<R extends LocalRecord>(merge: MergeInput<R>): WithDeleted<R>[] {
  const { resource, rows, local, skippedIds, stamp, completeAsOf, isNeeded } = merge
  const idsInCrm = new Set([...rows.map(({ id }) => id), ...skippedIds])
  const duplicates = pulledDuplicates(local, isNeeded)
  // Records that were created here are first, because a row belongs to the first record with its id.
  const remaining = local
    .filter((record) => !duplicates.has(record))
    .toSorted((a, b) => Number(isPulled(a)) - Number(isPulled(b)))
  const last = remaining.toReversed()
  const byServerId = new Map(last.map((record) => [record.serverId, record]))
  const byKey = new Map(last.map((record) => [record.key, record]))
  const written = rows.flatMap((row) => {
    const match = byServerId.get(row.id) ?? byKey.get(row.key)
    if (!match && isPendingCreate(row, merge)) return []
    // A newer read has already confirmed the record, so the row is outdated.
    if (match?.server && match.server.stamp > stamp) return []
    const record = withOthersEdits(resource, match, row.record(match, stamp))
    return match && merge.isStored(match) && sameButStamp(match, record)
      ? []
      : [{ ...record, _deleted: false }]
  })
  const keys = new Set(rows.map(({ key }) => key))
  const isMissing = ({ changes, server, serverId = '' }: R) => {
    // A read-only record has no id to compare, so any row that could not be parsed may be its row.
    if (changes === undefined) return skippedIds.length === 0
    const isConfirmed = server === undefined || server.stamp >= (completeAsOf ?? '')
    return changes.length === 0 && !isConfirmed && !idsInCrm.has(serverId)
  }
  const isRemoved = (record: R) => !keys.has(record.key) && !isNeeded(record) && isMissing(record)
  const removed = completeAsOf === null ? [] : remaining.filter(isRemoved)
  return [...written, ...[...removed, ...duplicates].map((record) => ({ ...record, _deleted: true }))]
}

/**
 * True if this row may come from a create whose call had no answer. Until the create is read back it is skipped, or the
 * record would be shown twice (PL3), and the read-back would find the row's id in use.
 */
function isPendingCreate<R extends LocalRecord>(row: PulledRow<R>, { local, loginUserId }: MergeInput<R>) {
  return local.some((record) =>
    ((record.changes ?? []) as Change[]).some((change) => {
      const mayExist = change.state === 'sending' || change.state === 'unknown' || change.serverErrors > 0
      return isCreating(change) && mayExist && row.isOf?.(record, change.fields, loginUserId)
    }),
  )
}

/** Pulled copies of a record that was created on this device, with the same CRM id, that no unsent work depends on. */
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

/** True for a pulled record. A record that was created here has a key of its own. */
const isPulled = ({ key, serverId }: LocalRecord) => key === serverId

function sameButStamp<R extends LocalRecord>(a: R, b: R): boolean {
  const bare = (record: R) => ({ ...record, server: record.server && { ...record.server, stamp: '' } })
  return deepEqual(bare(a), bare(b))
}
