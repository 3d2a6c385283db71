/**
 * Computes the documents to write after a list was read (RULES PL1, PL3). Pure. It never touches `changes`. A
 * row belongs to the record with its id, else to the one with its key. A record that the CRM no longer has is
 * removed, unless something unsent depends on it.
 */
import { deepEqual, type WithDeleted } from 'rxdb/plugins/core'
import { CREATING_KINDS } from '#schemas/changes/change-queue.ts'
import type { Change } from '#schemas/change.ts'
import { withOthersEdits } from './others-edits.ts'
import type { LocalRecord, PulledRow } from './pulled-row.ts'

interface Merge<R> {
  /** The collection. */
  resource: string
  rows: readonly PulledRow<R>[]
  /** The device's records of this list, and its records of other lists that share an id with a row. */
  local: readonly R[]
  /** Ids of rows that could not be read, although the CRM has them. */
  skippedIds: readonly string[]
  /** Stamp from before the read. */
  stamp: string
  /**
   * Records confirmed before this stamp and missing from the list are removed; null if the list is
   * incomplete.
   */
  completeAsOf: string | null
  /** True if something unsent depends on the record. */
  isNeeded(record: R): boolean
  /** True if the record equals its stored document, so no accepted change is newer. */
  isStored(record: R): boolean
  loginUserId: string
}

/** Returns the documents to write, including deletions. */
export function mergeRows<R extends LocalRecord>(merge: Merge<R>): WithDeleted<R>[] {
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
    if (match?.server && match.server.stamp > stamp) return []
    const record = withOthersEdits(resource, match, row.record(match, stamp))
    return match && merge.isStored(match) && sameButStamp(match, record)
      ? []
      : [{ ...record, _deleted: false }]
  })
  const keys = new Set(rows.map(({ key }) => key))
  const isRemoved = (record: R) =>
    !keys.has(record.key) &&
    !isNeeded(record) &&
    (record.changes === undefined
      ? skippedIds.length === 0
      : record.changes.length === 0 &&
        record.server !== undefined &&
        record.server.stamp < (completeAsOf ?? '') &&
        !idsInCrm.has(record.serverId ?? ''))
  const removed = completeAsOf === null ? [] : remaining.filter(isRemoved)
  return [...written, ...[...removed, ...duplicates].map((record) => ({ ...record, _deleted: true }))]
}

/**
 * True if a pending create may have created this row. The create is resolved first; otherwise the record
 * would be shown twice (PL3), and its read-back would find the id in use.
 */
function isPendingCreate<R extends LocalRecord>(row: PulledRow<R>, { local, loginUserId }: Merge<R>) {
  return local.some((record) =>
    ((record.changes ?? []) as Change[]).some(({ kind, state, serverErrors, fields }) => {
      if (!CREATING_KINDS.includes(kind)) return false
      const mayExist = state === 'sending' || state === 'unknown' || serverErrors > 0
      return mayExist && row.isOf?.(record, fields, loginUserId)
    }),
  )
}

/**
 * Records that were pulled although this device has created another record with the same CRM id. Those that
 * something unsent depends on are excluded.
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

/** Sorts records that were created here before pulled ones: of two with one id, the row belongs to them. */
const createdHereFirst = (a: LocalRecord, b: LocalRecord) => Number(isPulled(a)) - Number(isPulled(b))

function firstBy<R>(records: readonly R[], nameOf: (record: R) => string | undefined): Map<string, R> {
  const first = new Map<string, R>()
  for (const record of records) {
    const name = nameOf(record)
    if (name !== undefined && !first.has(name)) first.set(name, record)
  }
  return first
}

function sameButStamp<R extends LocalRecord>(a: R, b: R): boolean {
  const bare = (record: R) => ({ ...record, server: record.server && { ...record.server, stamp: '' } })
  return deepEqual(bare(a), bare(b))
}
