/**
 * The send queue: all changes that the CRM has not accepted, in the order of saving (sync RULES OR1), with their send
 * states (ST1). Sync, the badge, the count and 送信状況 all use this queue.
 */
import type { AnyChange, Change, StoredState, Progress, PushableRecord, SendFacts } from '#schemas/change.ts'
import { INVALID_TOKEN } from '#schemas/api-error.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'

/** Kinds of change that create a record. The record's other changes are sent afterwards (OR2). */
export const CREATING_KINDS: readonly string[] = ['entry', 'create']
export const isCreating = ({ kind }: { kind: string }): boolean => CREATING_KINDS.includes(kind)

export type PendingRecord = PushableRecord & { resource: string }

/** The state that screens show: 待機, 送信中, 失敗 or 期限切れ. An item with 成功 leaves the queue. */
export type SendState = 'waiting' | 'sending' | 'failed' | 'expired'

export interface QueueItem {
  record: PendingRecord
  change: AnyChange
  state: SendState
  progress: SendFacts | undefined
  /** Id of the refused or expired create that the user must resolve first (OR3); undefined if there is none. */
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

/** True for a change that replaces all earlier ones. An entry (入館) does not replace an exit that was saved before it. */
export const isWhole = ({ kind }: { kind: string }) => kind === 'create'

/**
 * The changes that must be sent: the last create or entry, and the last other change, because each save carries the
 * whole content. A later create also replaces earlier edits (OR2).
 */
export function effectiveChanges<C extends { kind: string; stamp: string }>(changes: readonly C[]): C[] {
  const inOrder = changes.toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1))
  const creating = inOrder.findLast(isCreating)
  const content = inOrder.findLast((change) => !isCreating(change))
  const isReplaced = creating && content && isWhole(creating) && creating.stamp > content.stamp
  return [creating, isReplaced ? undefined : content].filter((change) => change !== undefined)
}

/** The changes that stay unsent after the CRM has accepted `done`: later ones, and one that `done` does not replace. */
export function withoutSettled<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  done: Pick<C, 'id' | 'stamp'>,
): C[] {
  const notReplaced = effectiveChanges(changes.filter((change) => change.stamp <= done.stamp))
  return changes.filter(
    (change) =>
      change.id !== done.id && (change.stamp > done.stamp || notReplaced.some(({ id }) => id === change.id)),
  )
}

/** The earlier changes that `done` replaces. They count as accepted once the CRM has accepted `done`. */
export function settledWith<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  done: Pick<C, 'id' | 'stamp'>,
): C[] {
  const remaining = withoutSettled(changes, done)
  return changes.filter((change) => change.id !== done.id && !remaining.includes(change))
}

/**
 * The changes that are discarded together with this one: those that it replaces and, if it is the record's last
 * create, those that depend on it. An edit is kept if the CRM already has its record (sync RULES OR3).
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

/** True if the change must wait for its record's create (OR3). False if it is based on a record that the CRM has. */
export function dependsOnCreate({ serverId, changes }: PushableRecord, change: AnyChange): boolean {
  if (isCreating(change)) return false
  const base = change.madeOn
  return serverId === '' || !base || changes.some((each) => isCreating(each) && each.stamp === base.stamp)
}

/**
 * The content with which a new edit is compared to find the edited fields (sync RULES MG2):
 *
 *     no previous change                              the state that the CRM last confirmed
 *     the previous change is a create or accepted     the content of the previous change
 *     otherwise                                       `madeOn` of the previous change, which the new edit replaces
 *
 * @param seen the record as the user saw it
 * @param isAccepted true if the CRM has accepted this change by now
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
 * The content with which an edit is compared now: the last earlier edit if the CRM accepted it after this edit was
 * saved, otherwise the content that the user saw (`madeOn`).
 */
export function baseOf(change: AnyChange, changes: readonly Change[]): AnyChange['madeOn'] {
  const sent = changes
    .filter(({ kind, state, stamp }) => !isCreating({ kind }) && state === 'accepted' && stamp < change.stamp)
    .filter(({ result }) => result !== undefined && String(Reflect.get(result, 'stamp')) > change.stamp)
    .reduce<Change | undefined>((last, each) => (last && last.stamp > each.stamp ? last : each), undefined)
  if (!sent || sent.stamp <= (change.madeOn?.stamp ?? '')) return change.madeOn
  return { stamp: sent.stamp, fields: sent.fields }
}

/** Fields that are only valid together: the type of a quick report and its reasons. */
export const TOGETHER: readonly string[] = quickReport.together

/** The fields that an edit sets. A `PUT` without `inTime` leaves the entry time unchanged (crm-contract 4). */
export function fieldsSet(fields: object): object {
  const { inTime, ...others } = fields as { inTime?: unknown }
  return inTime === null ? others : fields
}

export const pickSameKeys = (state: object, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(state, name) ?? null]))

/** The unsent changes in sending order: by the time of saving, but always after their create (OR2). */
export function queueOf(
  records: readonly PendingRecord[],
  progress: ReadonlyMap<string, SendFacts> = entriesOf(records),
): QueueItem[] {
  const items = records.flatMap((record) => {
    const unsettled = effectiveChanges(record.changes).filter(
      ({ id }) => !['accepted', 'discarded'].includes(progress.get(id)?.state ?? ''),
    )
    const creating = unsettled.find(isCreating)
    const blockedBy = creating && isParked(progress.get(creating.id)) ? creating.id : undefined
    return unsettled.map((change) => {
      const entry = progress.get(change.id)
      const item: QueueItem = {
        record,
        change,
        progress: entry,
        state: entry ? SEND_STATE[entry.state] : 'waiting',
        blockedBy: dependsOnCreate(record, change) ? blockedBy : undefined,
      }
      return { stamp: creating && creating.stamp > change.stamp ? creating.stamp : change.stamp, item }
    })
  })
  return items
    .toSorted((a, b) => (a.stamp === b.stamp ? 0 : a.stamp < b.stamp ? -1 : 1))
    .map(({ item }) => item)
}

/** Stored reason of a change that waits because the CRM has refused several in a row without a reason (RULES OC7). */
export const PAUSED = 'paused'

/** True if the CRM may have received a call without an answer. `sending` at the app's start means a crash (OC3). */
export const isInDoubt = ({ progress }: Pick<QueueItem, 'progress'>) =>
  progress?.state === 'sending' || progress?.state === 'unknown'

/** True if the app can send or end this item without a decision by the user. */
export const isActionable = (item: QueueItem) => !item.blockedBy && !isParked(item.progress)

/** True if the queue may send this item. An item that the user wants to discard is only read back. */
export const isSendable = (item: QueueItem) => isActionable(item) && item.progress?.wish !== 'discard'

export const entriesOf = (records: readonly PendingRecord[]): Map<string, SendFacts> =>
  new Map(records.flatMap(({ changes }) => changes.map((change) => [change.id, change as Change])))

/** The send state of a change when it is saved. */
export const blankFacts = ({
  record: { key: recordKey, resource, requestId, workingDate },
  change: { id, kind, stamp, savedAt },
}: {
  record: Pick<PendingRecord, 'resource' | 'key' | 'requestId' | 'workingDate'>
  change: Pick<AnyChange, 'id' | 'kind' | 'stamp' | 'savedAt'>
}): SendFacts => ({
  id,
  resource,
  recordKey,
  kind,
  requestId,
  workingDate,
  stamp,
  savedAt,
  serverId: '',
  ...blankProgress(savedAt),
})

/** The progress of a change or photo when it is saved. */
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

/**
 * Why items wait although there is a connection (sync RULES ST3). `silent`: the CRM gave no clear answer. `busy`: it
 * wants fewer calls (429). `unavailable`: it is temporarily down (503). `paused`: it has refused several changes in a
 * row without a reason.
 */
export type QueueWait = 'silent' | 'busy' | 'unavailable' | 'paused'

/** @returns the reason of the first item that has one; null if all items wait only for a connection */
export function queueWait(queue: readonly QueueItem[]): QueueWait | null {
  return queue.filter(isSendable).map(waitOf).find(Boolean) ?? null
}

const TOO_MANY = 429
const UNAVAILABLE = 503
const SIGNED_OUT: readonly number[] = [401, INVALID_TOKEN]

/** @returns null if the last answer gives no reason, or the item's call is in progress */
function waitOf({ progress }: QueueItem): QueueWait | null {
  const { status = 0, reasons = [] } = progress ?? {}
  if (reasons.includes(PAUSED)) return 'paused'
  if (status === 0 || SIGNED_OUT.includes(status)) return null
  if (status === TOO_MANY) return 'busy'
  return status === UNAVAILABLE ? 'unavailable' : 'silent'
}
