/**
 * Writes the send states of record changes, each in the change's own document. One write stores all changes of one
 * call. An acceptance also removes the earlier changes of the record, in the same write.
 */
import type { RxCollection } from 'rxdb'
import { withReplaced } from '#schemas/change-history.ts'
import { isCreating, settledWith } from '#schemas/changes/change-queue.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import { collectionOf, type SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys, readOnce, deviceRows } from '#sync/storage/device-rows.ts'
import {
  factsOf,
  stateWriter,
  Unwanted,
  unlessUnwanted,
  type FactsOf,
  type SendStates,
  type StatedItem,
  type StateFacts,
  type StateParts,
} from './send-states.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'

type Write = (change: Change | null) => Change | null
type Check = (item: StatedItem, change: Change) => void

export interface ChangeStates extends SendStates {
  /** Marks a change as ambiguous if a crash left it in the state `sending`. */
  markAmbiguous(id: string): Promise<void>
  /**
   * Makes a refused change wait again. `reason` is shown to the user. A create is read back before it is sent (RULES
   * OC6, OC7).
   */
  reopen(id: string, reason: string): Promise<void>
  /** Removes changes that ended more than a day ago and no longer affect any view. @param now epoch ms */
  purge(now: number): Promise<void>
}

export function createChangeStates(db: SyncDatabase, parts: StateParts = {}): ChangeStates {
  const { after, checkBegin } = stateWriter<Change>(parts)
  const afterEvent = (change: Change, event: StateEvent, facts: StateFacts) =>
    withoutUnusedReplaced(after(change, event, facts), event)
  const modify = (id: string, to: (change: Change) => Change) =>
    writeChanges(db.changes, new Map([[id, (change) => change && to(change)]]))
  const writesOf = (item: StatedItem, event: StateEvent, facts: FactsOf, check?: Check) => {
    const covered = event === 'accepted' ? settledWith(item.record.changes as Change[], item.change) : []
    const ownWrite: Write = (change) => {
      if (!change) return null
      // After the user has discarded the change, only an acceptance by the CRM changes its state.
      if (change.state === 'discarded' && event !== 'accepted') {
        if (check) throw new Unwanted(change.id)
        return change
      }
      check?.(item, change)
      return afterEvent(change, event, withAllReplaced(factsOf(facts, item), [change, ...covered]))
    }
    return [[item.change.id, ownWrite], ...covered.map(({ id }) => [id, () => null])] as [string, Write][]
  }
  const put = (items: readonly StatedItem[], event: StateEvent, facts: FactsOf = {}, check?: Check) =>
    writeChanges(db.changes, new Map(items.flatMap((item) => writesOf(item, event, facts, check))))
  return {
    read: async (ids) => new Map((await readByKeys(db.changes, ids)).map((change) => [change.id, change])),
    begin(items, payload, facts = {}) {
      const begun: FactsOf = (item) => ({ ...factsOf(facts, item), payload })
      return unlessUnwanted(put(items, 'began', begun, checkBegin))
    },
    put: (items, event, facts) => put(items, event, facts),
    putById: (id, event, facts = {}) => modify(id, (change) => afterEvent(change, event, facts)),
    markAmbiguous: (id) =>
      modify(id, (change) => (change.state === 'sending' ? afterEvent(change, 'crashed', {}) : change)),
    reopen: (id, reason) =>
      modify(id, (change) => {
        if (change.state !== 'refused') return change
        const event = isCreating(change) ? 'resentInDoubt' : 'resent'
        return after(change, event, { reasons: [reason], settledAt: '' })
      }),
    clearWish: (id, wish) =>
      modify(id, (change) => (change.wish === wish ? { ...change, wish: 'none' } : change)),
    purge: (now) => purge(db, now),
  }
}

/**
 * Adds other people's values to those that the change has replaced: values found for an earlier call of this change,
 * and values that changes replaced which are accepted together with it.
 */
function withAllReplaced(
  { replaced: now = [], ...facts }: StateFacts,
  [change, ...settled]: [Change, ...Change[]],
): StateFacts {
  const replaced = [...now, ...settled.flatMap((each) => each.replaced ?? [])]
  return replaced.length === 0 ? facts : { ...facts, replaced: withReplaced(change.replaced ?? [], replaced) }
}

/**
 * Removes `replaced` (other people's values that this change would replace) if the change certainly did not arrive.
 * After a call without an answer they stay, because the CRM may have applied the change.
 */
function withoutUnusedReplaced(change: Change, event: StateEvent): Change {
  if (event === 'lost' || event === 'crashed') return { ...change, mayBeThere: true }
  const isNotThere = event === 'refused' || event === 'held' || event === 'expired'
  if (!isNotThere || change.mayBeThere || !change.replaced) return change
  const { replaced: _, ...rest } = change
  return rest
}

/**
 * Writes several changes in one transaction. Each function receives the stored change, and returns the new one, or
 * null to remove it.
 */
export async function writeChanges(
  changes: SyncDatabase['changes'],
  writes: ReadonlyMap<string, Write>,
): Promise<void> {
  const rowsOfDevice = deviceRows(changes.database)
  if (rowsOfDevice) return rowsOfDevice.writeTogether<Change>(changes as RxCollection<Change>, writes)
  for (const [id, write] of writes) {
    const doc = await changes.findOne(id).exec()
    await doc?.incrementalModify((change) => write(change) ?? { ...change, _deleted: true })
  }
}

/**
 * Removes changes that ended more than a day ago, if their record was removed or has been read from the CRM since
 * (RULES EX1).
 */
async function purge(db: SyncDatabase, now: number): Promise<void> {
  const all = await readOnce(db.changes, {})
  const recordOf = ({ resource, recordKey }: Change) => `${resource} ${recordKey}`
  const open = new Set(all.filter(isOpen).map(recordOf))
  const isRecent = ({ waitingSince, settledAt }: Change) =>
    [waitingSince, settledAt].some((time) => Date.parse(time) >= now - EXPIRY_MS)
  const ended = all.filter((change) => !open.has(recordOf(change)) && !isRecent(change))
  const readStamps = new Map<string, string>()
  for (const resource of pushCollections) {
    const keys = ended.filter((change) => change.resource === resource).map(({ recordKey }) => recordKey)
    if (keys.length === 0) continue
    const records = await readByKeys(collectionOf<StoredRecord>(db, resource), [...new Set(keys)])
    for (const { key, server } of records) readStamps.set(`${resource} ${key}`, server?.stamp ?? '')
  }
  const removable = ended.filter((change) => {
    const read = readStamps.get(recordOf(change))
    return read === undefined || !change.result || read > String(Reflect.get(change.result, 'stamp'))
  })
  if (removable.length > 0)
    await writeChanges(db.changes, new Map(removable.map(({ id }) => [id, () => null])))
}
