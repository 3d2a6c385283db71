/**
 * Writes the send states of record changes, each in the change's own document. States that belong together are one
 * write: all changes of one call, and with an acceptance the removal of the earlier changes that it settles.
 */
import type { RxCollection } from 'rxdb'
import { withReplaced } from '#schemas/change-history.ts'
import { CREATING_KINDS, settledWith, type QueueItem } from '#schemas/changes/change-queue.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import { collectionOf, type SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys, readOnce, deviceRows } from '#sync/storage/device-rows.ts'
import {
  factsOf,
  mayBegin,
  stateWriter,
  Unwanted,
  unlessUnwanted,
  type FactsOf,
  type SendStates,
  type StateParts,
} from './send-states.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'

type Write = (change: Change | null) => Change | null

export interface ChangeStates extends SendStates {
  /** Marks a `sending` left by a crash as ambiguous, unless another tab has settled it meanwhile. */
  markAmbiguous(id: string): Promise<void>
  /**
   * Makes a refused change wait again, with this reason. A create is read back before it is sent (RULES OC6, OC7).
   */
  reopen(id: string, reason: string): Promise<void>
  /** Removes changes that ended more than a day ago and no longer affect any view. @param now epoch ms */
  purge(now: number): Promise<void>
}

export function createChangeStates(db: SyncDatabase, parts: StateParts = {}): ChangeStates {
  const { unknown, after } = stateWriter<Change>(parts)
  const write = (writes: ReadonlyMap<string, Write>) => writeChanges(db.changes, writes)
  const put = (items: readonly QueueItem[], event: StateEvent, facts: FactsOf = {}, guard?: Guard) => {
    const writes = items.flatMap((item) => writesOf({ item, event, facts, guard, after }))
    return write(new Map(writes))
  }
  const modify = (id: string, to: (change: Change) => Change) =>
    write(new Map([[id, (change) => change && to(change)]]))
  const read: SendStates['read'] = async (ids) => {
    const found = ids ? await readByKeys(db.changes, ids) : await readOnce(db.changes, {})
    return new Map(found.map((change) => [change.id, change]))
  }
  return {
    read,
    begin(items, payload, facts = {}) {
      const begun: FactsOf = (item) => ({ ...factsOf(facts, item), payload })
      return unlessUnwanted(put(items, 'began', begun, mayBegin(unknown)))
    },
    put: (items, event, facts) => put(items, event, facts),
    putById: (id, event, facts = {}) => modify(id, (change) => settled(after(change, event, facts), event)),
    markAmbiguous: (id) =>
      modify(id, (change) =>
        change.state === 'sending' ? settled(after(change, 'crashed', {}), 'crashed') : change,
      ),
    reopen: (id, reason) =>
      modify(id, (change) => {
        if (change.state !== 'refused') return change
        const event = CREATING_KINDS.includes(change.kind) ? 'resentInDoubt' : 'resent'
        return after(change, event, { reasons: [reason], settledAt: '' })
      }),
    clearWish: (id, wish) =>
      modify(id, (change) => (change.wish === wish ? { ...change, wish: 'none' } : change)),
    purge: (now) => purge(db, now),
  }
}

/** @throws if the call must not begin */
type Guard = (item: QueueItem) => (change: Change) => void

interface EventWrite {
  item: QueueItem
  event: StateEvent
  facts: FactsOf
  guard: Guard | undefined
  after: ReturnType<typeof stateWriter<Change>>['after']
}

/** The write of the change itself and, with an acceptance, the removals of the earlier changes that it settles. */
function writesOf({ item, event, facts, guard, after }: EventWrite): [string, Write][] {
  const covered = event === 'accepted' ? settledWith(item.record.changes as Change[], item.change) : []
  const ownWrite: Write = (change) => {
    if (!change) return null
    // the user has discarded it meanwhile, so only an acceptance by the CRM still counts
    if (change.state === 'discarded' && event !== 'accepted') {
      if (guard) throw new Unwanted(change.id)
      return change
    }
    guard?.(item)(change)
    const replaced = covered.flatMap((each) => each.replaced ?? [])
    return settled(after(change, event, withMore(factsOf(facts, item), change, replaced)), event)
  }
  return [[item.change.id, ownWrite], ...covered.map(({ id }): [string, Write] => [id, () => null])]
}

/** The facts, with all values of others that were replaced: by this change before, and by the changes it settles. */
function withMore(
  { replaced = [], ...facts }: ReturnType<typeof factsOf>,
  change: Change,
  covered: NonNullable<Change['replaced']>,
): ReturnType<typeof factsOf> {
  const all = [...replaced, ...covered]
  return all.length === 0 ? facts : { ...facts, replaced: withReplaced(change.replaced ?? [], all) }
}

/** A change that did not arrive has replaced no values. After a call without an answer nobody knows, so they stay. */
function settled(change: Change, event: StateEvent): Change {
  if (event === 'lost' || event === 'crashed') return { ...change, mayBeThere: true }
  const isNot = event === 'refused' || event === 'held' || event === 'expired'
  if (!isNot || change.mayBeThere || !change.replaced) return change
  const { replaced: _, ...rest } = change
  return rest
}

/**
 * Writes several changes together. Each function receives the change as it is on disk; a result of null removes it.
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

/** Removes changes that ended more than a day ago once a later read of their record has replaced their result. */
async function purge(db: SyncDatabase, now: number): Promise<void> {
  const all = await readOnce(db.changes, {})
  const open = new Set(all.filter(isOpen).map(({ resource, recordKey }) => `${resource} ${recordKey}`))
  const isOld = ({ waitingSince, settledAt }: Change) =>
    ![waitingSince, settledAt].some((at) => Date.parse(at) >= now - EXPIRY_MS)
  const ended = all.filter(
    (change) => !isOpen(change) && isOld(change) && !open.has(`${change.resource} ${change.recordKey}`),
  )
  const isSuperseded = await supersededTest(db, ended)
  const removable = ended.filter(isSuperseded)
  if (removable.length > 0)
    await writeChanges(db.changes, new Map(removable.map(({ id }) => [id, () => null])))
}

/**
 * @returns a test for changes that their record no longer needs: its document is newer, or was removed (RULES EX1)
 */
async function supersededTest(
  db: SyncDatabase,
  changes: readonly Change[],
): Promise<(change: Change) => boolean> {
  const stamps = new Map<string, string>()
  for (const resource of new Set(changes.map((change) => change.resource))) {
    const keys = changes.filter((change) => change.resource === resource).map(({ recordKey }) => recordKey)
    if (!isPushCollection(resource)) continue
    for (const { key, server } of await readByKeys(collectionOf<StoredRecord>(db, resource), [
      ...new Set(keys),
    ]))
      stamps.set(`${resource} ${key}`, server?.stamp ?? '')
  }
  return ({ resource, recordKey, result }) => {
    const read = stamps.get(`${resource} ${recordKey}`)
    return read === undefined || result === undefined || read > String(Reflect.get(result, 'stamp'))
  }
}
