/**
 * Decides what a list that was read changes on the device (RULES PL1, PL3). Pure. It never touches `changes`.
 * A row belongs to the record with its id, else to the one with its key. A record that the CRM no longer has
 * is removed, unless something unsent depends on it.
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
  /** The device's records of the list, and all records with an id of a row. */
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
  isKept(record: R): boolean
  /** True if the record equals its document: no accepted change is newer. */
  isStored(record: R): boolean
  loginUserId: string
}

/** Returns the documents to write, including deletions. */
export function mergeRows<R extends LocalRecord>(merge: Merge<R>): WithDeleted<R>[] {
  const { resource, rows, local, skippedIds, stamp, completeAsOf, isKept } = merge
  const seen = new Set([...rows.map(({ id }) => id), ...skippedIds])
  const twice = pulledTwice(local, isKept)
  const staying = local.filter((record) => !twice.has(record)).toSorted(madeHereFirst)
  const [byServerId, byKey] = [
    firstBy(staying, ({ serverId }) => serverId),
    firstBy(staying, ({ key }) => key),
  ]
  const written = rows.flatMap((row) => {
    const mine = byServerId.get(row.id) ?? byKey.get(row.key)
    if (!mine && isBeingMade(row, merge)) return []
    if (mine?.server && mine.server.stamp > stamp) return []
    const record = withOthersEdits(resource, mine, row.record(mine, stamp))
    return mine && merge.isStored(mine) && sameButStamp(mine, record) ? [] : [{ ...record, _deleted: false }]
  })
  const keys = new Set(rows.map(({ key }) => key))
  const isGone = (record: R) =>
    !keys.has(record.key) &&
    !isKept(record) &&
    (record.changes === undefined
      ? skippedIds.length === 0
      : record.changes.length === 0 &&
        record.server !== undefined &&
        record.server.stamp < (completeAsOf ?? '') &&
        !seen.has(record.serverId ?? ''))
  const gone = completeAsOf === null ? [] : staying.filter(isGone)
  return [...written, ...[...gone, ...twice].map((record) => ({ ...record, _deleted: true }))]
}

/**
 * True if a pending create may have created this row. The create is resolved first; otherwise the record
 * would be shown twice (PL3), and its read-back would find the id in use.
 */
function isBeingMade<R extends LocalRecord>(row: PulledRow<R>, { local, loginUserId }: Merge<R>) {
  return local.some((record) =>
    ((record.changes ?? []) as Change[]).some(({ kind, state, serverErrors, fields }) => {
      if (!CREATING_KINDS.includes(kind)) return false
      const mayBeThere = state === 'sending' || state === 'unknown' || serverErrors > 0
      return mayBeThere && row.isOf?.(record, fields, loginUserId)
    }),
  )
}

/** Pulled records with the same CRM id as a record created here, if nothing unsent depends on them. */
function pulledTwice<R extends LocalRecord>(
  local: readonly R[],
  isKept: (record: R) => boolean,
): ReadonlySet<R> {
  const holders = new Map<string | undefined, number>()
  for (const { serverId } of local) holders.set(serverId, (holders.get(serverId) ?? 0) + 1)
  const isTwice = (record: R) =>
    isPulled(record) &&
    record.changes?.length === 0 &&
    (holders.get(record.serverId) ?? 0) > 1 &&
    !isKept(record)
  return new Set(local.filter(isTwice))
}

/** True if the record was pulled: its key is the CRM's id. */
const isPulled = ({ key, serverId }: LocalRecord) => key === serverId

/** Of two records with one id, the row belongs to the one created here. */
const madeHereFirst = (a: LocalRecord, b: LocalRecord) => Number(isPulled(a)) - Number(isPulled(b))

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
