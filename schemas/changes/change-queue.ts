/**
 * The queue: every change the CRM has not acknowledged, in the order of saving (sync RULES OR1), with where it stands
 * (ST1). The sync module sends by it; the badge, the count and 送信状況 are drawn from it: one function for all.
 */
import type { AnyChange, Change, LedgerState, Progress, PushableRecord, SendFacts } from '#schemas/change.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'

/** The change that makes its record in the CRM: everything else of the record waits for it (OR2). */
export const CREATING_KINDS: readonly string[] = ['entry', 'create']

export const isCreating = ({ kind }: { kind: string }): boolean => CREATING_KINDS.includes(kind)

/** A record and the collection it lies in. */
export interface PendingRecord extends PushableRecord {
  resource: string
}

/** What a person reads: 待機, 送信中, 失敗, 期限切れ. 成功 is a change that is accepted. */
export type SendState = 'waiting' | 'sending' | 'failed' | 'expired'

export interface QueueItem {
  record: PendingRecord
  change: AnyChange
  state: SendState
  ledger: SendFacts | undefined
  /** Id of the refused or expired change this one waits for (OR3). */
  heldBy: string | undefined
}

export const SEND_STATE: Record<LedgerState, SendState> = {
  waiting: 'waiting',
  sending: 'sending',
  unknown: 'waiting',
  accepted: 'sending',
  refused: 'failed',
  expired: 'expired',
  discarded: 'waiting',
}

const isParked = (entry: SendFacts | undefined) => entry?.state === 'refused' || entry?.state === 'expired'
const isGone = (entry: SendFacts | undefined) => entry?.state === 'accepted' || entry?.state === 'discarded'

/** A creating change that carries the whole content; an entry does not, so an exit saved before it still counts. */
export const isWhole = ({ kind }: { kind: string }) => kind === 'create'

/**
 * The changes that count: what creates the record, and of the others the last one: a later save carries the whole
 * content, so it replaces the earlier (also a refused one that was corrected). A record that is made anew whole replaces
 * the edits of the one before, too (OR2).
 */
export function effectiveChanges<C extends { kind: string; stamp: string }>(changes: readonly C[]): C[] {
  const inOrder = changes.toSorted((a, b) => (a.stamp < b.stamp ? -1 : 1))
  const creating = inOrder.findLast(isCreating)
  const content = inOrder.findLast((change) => !isCreating(change))
  const isReplaced = creating && content && isWhole(creating) && creating.stamp > content.stamp
  return [creating, isReplaced ? undefined : content].filter((change) => change !== undefined)
}

/** The changes that are left once this one is done: it goes, and the earlier ones that it had replaced. */
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

/** The earlier saves that are done along with this one. */
export function coveredBy<C extends { id: string; kind: string; stamp: string }>(
  changes: readonly C[],
  done: Pick<C, 'id' | 'stamp'>,
): C[] {
  const left = withoutSettled(changes, done)
  return changes.filter((change) => change.id !== done.id && !left.includes(change))
}

/**
 * What goes with a change that is discarded: what it had replaced; and what hangs on it where it was to create the record and
 * was not saved anew. What was saved on the record that the CRM has all the same stays (sync RULES OR3).
 */
export function goesWithDiscarded(record: PushableRecord, change: AnyChange): AnyChange[] {
  const isSavedAnew = record.changes.some((other) => isCreating(other) && other.stamp > change.stamp)
  const left = withoutSettled(record.changes, change)
  const stays =
    isCreating(change) && !isSavedAnew ? left.filter((other) => !hangsOnCreating(record, other)) : left
  return record.changes.filter((each) => each.id !== change.id && !stays.includes(each))
}

/**
 * Whether a change can go only once what creates its record has (OR3). All can, unless the CRM has such a record all the
 * same, a colleague's say, and the change was made on that one.
 */
export function hangsOnCreating({ serverId, changes }: PushableRecord, change: AnyChange): boolean {
  if (isCreating(change)) return false
  const base = change.madeOn
  return serverId === '' || !base || changes.some((each) => isCreating(each) && each.stamp === base.stamp)
}

/**
 * What an edit is made on (sync RULES MG2): what the CRM last confirmed; over what is being made or was just sent, that;
 * and an edit that replaces an unsent one is made on what that one was made on. What is accepted only later follows from the
 * changes (`baseOf`).
 * @param seen the record as the person saw it
 * @param isAccepted whether the CRM has accepted this change of it by now
 */
export function madeOn(
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
 * What an edit is made on by now: an earlier edit of the record that the CRM accepted after this one was saved, else what its
 * form showed.
 * @param changes all of the record
 */
export function baseOf(change: AnyChange, changes: readonly Change[]): AnyChange['madeOn'] {
  const sent = changes
    .filter(({ kind, state, stamp }) => !isCreating({ kind }) && state === 'accepted' && stamp < change.stamp)
    .filter(({ result }) => result !== undefined && String(Reflect.get(result, 'stamp')) > change.stamp)
    .reduce<Change | undefined>((last, each) => (last && last.stamp > each.stamp ? last : each), undefined)
  if (!sent || sent.stamp <= (change.madeOn?.stamp ?? '')) return change.madeOn
  return { stamp: sent.stamp, fields: sent.fields }
}

/** Fields of a report that make sense only together: a reason belongs to its type. No other record has such. */
export const TOGETHER: readonly string[] = quickReport.together

/** The part of a state that some fields are about. */
export const pickSameKeys = (state: object, fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, Reflect.get(state, name) ?? null]))

/**
 * All unacknowledged changes of these records, in sending order: by the time of saving, but what depends on a creating
 * change never before it, also where the creating one was saved anew after a refusal (OR2).
 */
export function queueOf(
  records: readonly PendingRecord[],
  ledger: ReadonlyMap<string, SendFacts>,
): QueueItem[] {
  return records
    .flatMap((record) => itemsOf(record, ledger))
    .toSorted((a, b) => (a.turn === b.turn ? 0 : a.turn < b.turn ? -1 : 1))
    .map(({ item }) => item)
}

interface Turn {
  /** The stamp it sorts by. */
  turn: string
  item: QueueItem
}

function itemsOf(record: PendingRecord, ledger: ReadonlyMap<string, SendFacts>): Turn[] {
  const open = effectiveChanges(record.changes).filter((change) => !isGone(ledger.get(change.id)))
  const creating = open.find(isCreating)
  const heldBy = creating && isParked(ledger.get(creating.id)) ? creating.id : undefined
  return open.map((change) => {
    const entry = ledger.get(change.id)
    const item = {
      record,
      change,
      ledger: entry,
      state: entry ? SEND_STATE[entry.state] : 'waiting',
      heldBy: hangsOnCreating(record, change) ? heldBy : undefined,
    }
    return { turn: creating && creating.stamp > change.stamp ? creating.stamp : change.stamp, item }
  })
}

/** The reason of what waits because the CRM refused one after the other without saying why (sync RULES OC7). */
export const PAUSED = 'paused'

/** It left the device, and no answer said what became of it; `sending` found by a sender is what a crash left (OC3). */
export const isInDoubt = ({ ledger }: Pick<QueueItem, 'ledger'>) =>
  ledger?.state === 'sending' || ledger?.state === 'unknown'

/** Whether something can be done for this item: nobody has to decide about it first. */
export const isActionable = (item: QueueItem) => !item.heldBy && !isParked(item.ledger)

/** Whether the queue may send this item by itself: what is to be discarded is only looked for. */
export const isSendable = (item: QueueItem) => isActionable(item) && item.ledger?.wish !== 'discard'

/** What is known of the changes of some records. */
export const entriesOf = (records: readonly PendingRecord[]): Map<string, SendFacts> =>
  new Map(records.flatMap(({ changes }) => changes.map((change) => [change.id, change as Change])))

/** What is known of a change when it is saved. */
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

/** How far something is that was just saved: nothing has left the device. */
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
