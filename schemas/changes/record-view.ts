/**
 * The view of a record combines its last state in the CRM with the changes saved on this device. All screens, the
 * sender and the pull use `recordView` (decisions/records).
 *
 *     document (only the pull writes it) ──┐
 *     changes of the record ───────────────┴─→ server   the newest by stamp: a read, or the result of an accepted change
 *                                              changes  neither accepted nor discarded, in the order of saving
 *                                              history  changes by others, and values that local edits have replaced
 *
 * The stamp of a read is the time of its start, the stamp of a result the time of its answer. So a slow read never
 * shows old values. ArkType is not imported, because the first list uses this file.
 */
import { withReplaced } from '#schemas/change-history.ts'
import { baseOf } from './change-queue.ts'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'

/** True if the CRM has not accepted the change and the user has not discarded it. */
export const isOpen = ({ state }: Pick<Change, 'state'>): boolean =>
  state !== 'accepted' && state !== 'discarded'

/** Returns the view of a record, from all its changes; null if the CRM never confirmed it and nothing is unsent. */
export function recordView<R extends PushableRecord = PushableRecord>(
  stored: StoredRecord | null | undefined,
  changes: readonly Change[],
): R | null {
  const server = changes.reduce((latest, { state, result }) => {
    if (state !== 'accepted' || !result) return latest
    const stamp = String(Reflect.get(result, 'stamp'))
    return stamp > (latest?.stamp ?? '') ? { ...result, stamp } : latest
  }, stored?.server)
  const open = changes.filter(isOpen).toSorted(byStamp)
  const [first] = changes
  const base = stored ?? (first && newRecord(first))
  if (!base || (!server && open.length === 0)) return null
  const replaced = changes.flatMap((change) => change.replaced ?? [])
  const history = replaced.length > 0 ? withReplaced(base.history ?? [], replaced) : base.history
  const record: PushableRecord = {
    ...base,
    serverId: String(Reflect.get(server ?? {}, 'id') ?? ''),
    changes: open.map((change) => {
      const madeOn = baseOf(change, changes)
      return madeOn === change.madeOn || !madeOn ? change : { ...change, madeOn }
    }),
    unsent: open.length > 0 ? 'yes' : 'no',
    ...(server && { server }),
    ...(history && { history }),
  }
  return record as R
}

/** Returns the record that exists only as this change. */
const newRecord = ({ own, recordKey: key, requestId, workingDate }: Change): StoredRecord => ({
  ...own,
  key,
  requestId,
  workingDate,
  serverId: '',
})

const byStamp = (a: { stamp: string }, b: { stamp: string }): number => (a.stamp < b.stamp ? -1 : 1)

export function byRecord(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const group = groups.get(change.recordKey)
    if (group) group.push(change)
    else groups.set(change.recordKey, [change])
  }
  return groups
}

/** Views of a collection's records, by key. Includes records that exist only as changes. */
export function recordViews<R extends PushableRecord = PushableRecord>(
  stored: readonly StoredRecord[],
  changes: readonly Change[],
): Map<string, R> {
  const ofRecord = byRecord(changes)
  const keys = new Set([...stored.map(({ key }) => key), ...ofRecord.keys()])
  const docs = new Map(stored.map((record) => [record.key, record]))
  const views = [...keys].map((key) => recordView<R>(docs.get(key), ofRecord.get(key) ?? []))
  return new Map(views.flatMap((view) => (view ? [[view.key, view] as const] : [])))
}

/** The record as its document, without local changes. A read-only record is returned as it is. */
export function storedOf<R extends object>(view: R): R {
  const { changes: _, unsent: __, ...record } = view as R & Partial<PushableRecord>
  return record as R
}

const COMMON_FIELDS = 'key requestId workingDate serverId server history changes unsent'.split(' ')

/** The fields that only some kinds of records have. The changes of a record that the CRM lacks store them. */
export const ownOf = (record: StoredRecord): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !COMMON_FIELDS.includes(name)))
