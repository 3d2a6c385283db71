/**
 * A record as it is seen: what the CRM was read to say, and over it what was saved here. One pure function for lists,
 * screens, badge, outbox and forms, for the sender and the pull (decisions/records).
 *
 *     document (only the pull writes it) ──┐
 *     changes of the record ───────────────┴─→ server   the newest by stamp: what was read, or a result of an accepted change
 *                                              changes  neither accepted nor discarded, in the order of saving
 *                                              history  what others changed, and what edits made here have replaced
 *
 * A read has the stamp at which it began, a result the one of its answer. So a read that ends late shows nothing old, the next
 * one takes the place of the results, and nothing has to be written for it. Without ArkType: the first list is made of it.
 */
import { withReplaced } from '#schemas/change-history.ts'
import { baseOf } from './change-queue.ts'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'

type Server = StoredRecord['server']

/** Neither the CRM nor the user is done with it. */
export const isOpen = ({ state }: Pick<Change, 'state'>): boolean =>
  state !== 'accepted' && state !== 'discarded'

/**
 * @param changes all of this record
 * @returns null where there is nothing of it
 */
export function recordView<R extends PushableRecord = PushableRecord>(
  stored: StoredRecord | null | undefined,
  changes: readonly Change[],
): R | null {
  const server = changes.reduce(newer, stored?.server)
  const open = changes.filter(isOpen).toSorted(byStamp)
  const [first] = changes
  const base = stored ?? (first && blankOf(first))
  if (!base || (!server && open.length === 0)) return null
  const replaced = changes.flatMap((change) => change.replaced ?? [])
  const history = replaced.length > 0 ? withReplaced(base.history ?? [], replaced) : base.history
  const record: PushableRecord = {
    ...base,
    serverId: idOf(server),
    changes: open.map((change) => withBase(change, changes)),
    unsent: open.length > 0 ? 'yes' : 'no',
    ...(server && { server }),
    ...(history && { history }),
  }
  return record as R
}

const newer = (server: Server, { state, result }: Change): Server =>
  state === 'accepted' && result && stampOf(result) > stampOf(server ?? {})
    ? { ...result, stamp: stampOf(result) }
    : server

const stampOf = (server: object): string => String(Reflect.get(server, 'stamp') ?? '')
const idOf = (server: object | undefined): string => String((server && Reflect.get(server, 'id')) ?? '')

/** An edit says what it is made on by now. */
function withBase(change: Change, changes: readonly Change[]): Change {
  const base = baseOf(change, changes)
  return base === change.madeOn || !base ? change : { ...change, madeOn: base }
}

const byStamp = (a: { stamp: string }, b: { stamp: string }): number => (a.stamp < b.stamp ? -1 : 1)

/** A record that only changes tell of. */
const blankOf = ({ recordKey: key, requestId, workingDate, own }: Change): StoredRecord => ({
  ...own,
  key,
  requestId,
  workingDate,
  serverId: '',
})

/** Changes of one collection, by the key of their record. */
export function byRecord(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const group = groups.get(change.recordKey)
    if (group) group.push(change)
    else groups.set(change.recordKey, [change])
  }
  return groups
}

/** Views of a collection's records, by key: of its documents, and of records that only changes tell of. */
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

/** What a view is without what was saved here: as its document is. */
export function storedOf(view: PushableRecord): StoredRecord {
  const { changes: _, unsent: __, ...record } = view
  return record
}

const NOT_OWN: readonly string[] = [
  'key',
  'requestId',
  'workingDate',
  'serverId',
  'server',
  'history',
  'changes',
  'unsent',
]

/** What a record is beside its content: each change of it says so, for it may be all that tells of the record. */
export const ownOf = (record: StoredRecord): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !NOT_OWN.includes(name)))
