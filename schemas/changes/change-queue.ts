/**
 * The send queue: every change that the CRM has not accepted, in the order of saving (sync RULES OR1), with its send
 * state (ST1). The sync module sends from this queue. The badge, the count and 送信状況 show the same queue.
 */
import type { AnyChange, Change, StoredState, Progress, PushableRecord, SendFacts } from '#schemas/change.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'

/** Kinds of change that create their record in the CRM. All other changes of the record are sent after it (OR2). */
export const CREATING_KINDS: readonly string[] = ['entry', 'create']

export const isCreating = ({ kind }: { kind: string }): boolean => CREATING_KINDS.includes(kind)

/** A record, with the name of its collection. */
export interface PendingRecord extends PushableRecord {
  resource: string
}

/** The state that the screens show: 待機, 送信中, 失敗, 期限切れ. 成功 is not in the queue. */
export type SendState = 'waiting' | 'sending' | 'failed' | 'expired'

export interface QueueItem {
  record: PendingRecord
  change: AnyChange
  state: SendState
  /** The stored send state; undefined if the change has no send state yet. */
  progress: SendFacts | undefined
  /** Id of the refused or expired create that must be resolved first (OR3); undefined if there is none. */
  blockedBy: string | undefined
}

export const SEND_STATE: Record<StoredState, SendState> = {
  waiting: 'waiting',
  sending: 'sending',
  unknown: 'waiting',
  accepted: 'sending',
  refused: 'failed',
  expired: 'expired',
  discarded: 'waiting',
}

const isParked = (entry: SendFacts | undefined) => entry?.state === 'refused' || entry?.state === 'expired'
const isSettled = (entry: SendFacts | undefined) =>
  entry?.state === 'accepted' || entry?.state === 'discarded'

/**
 * True if the creating change carries the record's whole content. An entry does not: an exit saved before it is sent,
 * too.
 */
export const isWhole = ({ kind }: { kind: string }) => kind === 'create'

/**
 * The changes that have to be sent: the last creating change, and the last of the other changes. Each save carries the whole
 * content, so a later save replaces an earlier one, also a refused one that was corrected. A create that was saved
 * anew replaces the edits before it as well (OR2).
 */
export function effectiveChanges<C extends { kind: string; stamp: string }>(changes: readonly C[]): C[] {
  const inOrder = changes.toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1))
  const creating = inOrder.findLast(isCreating)
  const content = inOrder.findLast((change) => !isCreating(change))
  const isReplaced = creating && content && isWhole(creating) && creating.stamp > content.stamp
  return [creating, isReplaced ? undefined : content].filter((change) => change !== undefined)
}

/** The changes that remain open once `done` and the earlier changes that it replaces are settled. */
export function withoutSettled<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  done: Pick<C, 'id' | 'stamp'>,
): C[] {
  const counting = effectiveChanges(changes.filter((change) => change.stamp <= done.stamp))
  return changes.filter(
    (change) =>
      change.id !== done.id && (change.stamp > done.stamp || counting.some(({ id }) => id === change.id)),
  )
}

/** The earlier changes that are settled together with `done`. */
export function settledWith<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  done: Pick<C, 'id' | 'stamp'>,
): C[] {
  const remaining = withoutSettled(changes, done)
  return changes.filter((change) => change.id !== done.id && !remaining.includes(change))
}

/**
 * The changes that are discarded together with this one: the earlier changes that it replaces, and, for a create that
 * was not saved anew, the changes that depend on it. Edits of a record that the CRM has anyway are not discarded (sync
 * RULES OR3).
 */
export function changesDiscardedWith(record: PushableRecord, change: AnyChange): AnyChange[] {
  const isSavedAnew = record.changes.some((other) => isCreating(other) && other.stamp > change.stamp)
  const remaining = withoutSettled(record.changes, change)
  const unaffected =
    isCreating(change) && !isSavedAnew
      ? remaining.filter((other) => !dependsOnCreate(record, other))
      : remaining
  return record.changes.filter((each) => each.id !== change.id && !unaffected.includes(each))
}

/**
 * True if the change cannot be sent before its record's create (OR3). False if the CRM already has such a record, for
 * example a colleague's, and the edit was based on that one.
 */
export function dependsOnCreate({ serverId, changes }: PushableRecord, change: AnyChange): boolean {
  if (isCreating(change)) return false
  const base = change.madeOn
  return serverId === '' || !base || changes.some((each) => isCreating(each) && each.stamp === base.stamp)
}

/**
 * The state that a new edit is based on (sync RULES MG2): normally the last state that the CRM confirmed. It is the
 * previous change instead if that one creates the record or was just accepted. An edit that replaces an unsent edit
 * has the same base as that one. `baseOf` covers edits that are accepted later.
 * @param seen the record as the person saw it
 * @param isAccepted true if the CRM has accepted this change of the record by now
 */
export function baseOfNewEdit(
  seen: PushableRecord,
  { kind, fields }: AnyChange,
  isAccepted: (change: AnyChange) => boolean,
): Pick<AnyChange, 'madeOn'> {
  if (isCreating({ kind })) return {}
  const before = effectiveChanges(seen.changes).at(-1)
  if (!before) {
    const { server } = seen
    return server ? { madeOn: { stamp: server.stamp, fields: pickSameKeys(server, fields) } } : {}
  }
  if (isAccepted(before) || isCreating(before))
    return { madeOn: { stamp: before.stamp, fields: before.fields } }
  return before.madeOn ? { madeOn: before.madeOn } : {}
}

/**
 * The current base of an edit: the last earlier edit of the record that the CRM accepted after this one was saved, or
 * otherwise the base from the time of saving.
 * @param changes all changes of the record
 */
export function baseOf(change: AnyChange, changes: readonly Change[]): AnyChange['madeOn'] {
  const sent = changes
    .filter(({ kind, state, stamp }) => !isCreating({ kind }) && state === 'accepted' && stamp < change.stamp)
    .filter(({ result }) => result !== undefined && String(Reflect.get(result, 'stamp')) > change.stamp)
    .reduce<Change | undefined>((last, each) => (last && last.stamp > each.stamp ? last : each), undefined)
  if (!sent || sent.stamp <= (change.madeOn?.stamp ?? '')) return change.madeOn
  return { stamp: sent.stamp, fields: sent.fields }
}

/** Fields that are only valid together: the type of a quick report and its reasons. Other records have no such fields. */
export const TOGETHER: readonly string[] = quickReport.together

/**
 * The fields that an edit sets. An exit's `inTime` of null sets nothing: a `PUT` without it leaves the entry time as it
 * is (crm-contract 4).
 */
export function fieldsSet(fields: object): object {
  const { inTime, ...others } = fields as { inTime?: unknown }
  return inTime === null ? others : fields
}

/** The values in `state` of the keys in `fields`; null for a key that `state` lacks. */
export const pickSameKeys = (state: object, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(state, name) ?? null]))

/**
 * All changes of these records that the CRM has not accepted, in sending order: by the time of saving, but after the
 * create they depend on, even if that create was saved anew after a refusal (OR2).
 */
export function queueOf(
  records: readonly PendingRecord[],
  progress: ReadonlyMap<string, SendFacts>,
): QueueItem[] {
  return records
    .flatMap((record) => itemsOf(record, progress))
    .toSorted((a, b) => (a.sortStamp === b.sortStamp ? 0 : a.sortStamp < b.sortStamp ? -1 : 1))
    .map(({ item }) => item)
}

interface SortableItem {
  /** The stamp that the queue is sorted by. */
  sortStamp: string
  item: QueueItem
}

function itemsOf(record: PendingRecord, progress: ReadonlyMap<string, SendFacts>): SortableItem[] {
  const open = effectiveChanges(record.changes).filter((change) => !isSettled(progress.get(change.id)))
  const creating = open.find(isCreating)
  const blockedBy = creating && isParked(progress.get(creating.id)) ? creating.id : undefined
  return open.map((change) => {
    const entry = progress.get(change.id)
    const item = {
      record,
      change,
      progress: entry,
      state: entry ? SEND_STATE[entry.state] : 'waiting',
      blockedBy: dependsOnCreate(record, change) ? blockedBy : undefined,
    }
    return { sortStamp: creating && creating.stamp > change.stamp ? creating.stamp : change.stamp, item }
  })
}

/** Stored reason of a change that waits because the CRM refused several changes in a row without a reason (RULES OC7). */
export const PAUSED = 'paused'

/**
 * True if a call may have reached the CRM without an answer. If the state is `sending` at the start of the app, the app has
 * crashed during a call (OC3).
 */
export const isInDoubt = ({ progress }: Pick<QueueItem, 'progress'>) =>
  progress?.state === 'sending' || progress?.state === 'unknown'

/** True if the app can process this item without a decision by a person. */
export const isActionable = (item: QueueItem) => !item.blockedBy && !isParked(item.progress)

/** True if the queue may send this item. An item that the user wants to discard is only read back, never sent. */
export const isSendable = (item: QueueItem) => isActionable(item) && item.progress?.wish !== 'discard'

/** The send states of all changes of these records, by change id. */
export const entriesOf = (records: readonly PendingRecord[]): Map<string, SendFacts> =>
  new Map(records.flatMap(({ changes }) => changes.map((change) => [change.id, change as Change])))

/** The stored send state of a change at the moment of its save. */
export function blankFacts({
  record,
  change,
}: {
  record: Pick<PendingRecord, 'resource' | 'key' | 'requestId' | 'workingDate'>
  change: Pick<AnyChange, 'id' | 'kind' | 'stamp' | 'savedAt'>
}): SendFacts {
  return {
    id: change.id,
    resource: record.resource,
    recordKey: record.key,
    kind: change.kind,
    requestId: record.requestId,
    workingDate: record.workingDate,
    stamp: change.stamp,
    savedAt: change.savedAt,
    serverId: '',
    ...blankProgress(change.savedAt),
  }
}

/** The progress of a change or photo at the moment of its save. */
export const blankProgress = (savedAt: string): Progress => ({
  state: 'waiting',
  waitingSince: savedAt,
  reasons: [],
  status: 0,
  serverErrors: 0,
  payload: '',
  settledAt: '',
  wish: 'none',
})
