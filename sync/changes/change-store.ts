/** What the sender needs of the device: changes, each with its send state in its own document, and their records. */
import { filter } from 'rxjs'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'
import { withReplaced } from '#schemas/change-history.ts'
import {
  isCreating,
  queueOf,
  settledWith,
  type PendingRecord,
  type QueueItem,
} from '#schemas/changes/change-queue.ts'
import { isOpen, recordView, recordViews } from '#schemas/changes/record-view.ts'
import {
  isPushCollection,
  pushCollections,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { StateEvent } from '#schemas/send-state.ts'
import type { Lease } from '#sync/leadership/lease.ts'
import {
  collectionOf,
  readByKeys,
  readOnce,
  writeTogether,
  type SyncDatabase,
} from '#sync/storage/database.ts'
import { stateWrites, type Report, type SendStates, type StatedItem } from './send-adapter.ts'

export type ChangeRef = Pick<Change, 'id' | 'resource' | 'recordKey'>

type SearchedChange = { key: string; stamp: string; id?: string }

/** The name of a lock that all tabs share, so that one change at a time is sent. */
export const sendLock = ({ name }: Pick<QueueStore, 'name'>) => `genba-send-${name}`

export const openChanges = (db: SyncDatabase): Promise<Change[]> =>
  readOnce(db.changes, { selector: { state: { $in: [...OPEN] } } })

const OPEN = ['waiting', 'sending', 'unknown', 'refused', 'expired'] as const

/** Emits when the CRM has accepted a change. */
export const accepted$ = (db: SyncDatabase) =>
  db.changes.$.pipe(filter(({ documentData }) => documentData.state === 'accepted'))

/** For more keys, one query of all changes replaces the query by key. */
const KEYS_PER_QUERY = 20

export type QueueStore = ReturnType<typeof readsOf> &
  ReturnType<typeof writesOf> & {
    /** Returns a store whose writes throw once the lease has ended. */
    within(lease: Lease): QueueStore
  }

export const rxQueueStore = (db: SyncDatabase, report?: Report, lease?: Lease): QueueStore => ({
  ...readsOf(db),
  ...writesOf(db, report, lease),
  within: (next) => rxQueueStore(db, report, next),
})

const readsOf = (db: SyncDatabase) => ({
  name: db.name,
  open: () => openChanges(db),
  async records(refs: Iterable<ChangeRef>): Promise<PendingRecord[]> {
    const keys = [...new Set([...refs].map(({ recordKey }) => recordKey))]
    const selector = keys.length > KEYS_PER_QUERY ? {} : { recordKey: { $in: keys } }
    const all = keys.length > 0 ? await readOnce(db.changes, { selector }) : []
    const records = pushCollections.map(async (resource): Promise<PendingRecord[]> => {
      const changes = all.filter((change) => change.resource === resource)
      const openKeys = new Set(changes.filter(isOpen).map(({ recordKey }) => recordKey))
      if (openKeys.size === 0) return []
      const documents = await readByKeys(collectionOf<StoredRecord>(db, resource), [...openKeys])
      const ofOpen = changes.filter(({ recordKey }) => openKeys.has(recordKey))
      return [...recordViews(documents, ofOpen).values()].map((record) => ({ resource, ...record }))
    })
    return (await Promise.all(records)).flat()
  },
  async record(resource: string, key: string): Promise<PendingRecord | null> {
    if (!isPushCollection(resource)) return null
    const [[document], changes] = await Promise.all([
      readByKeys(collectionOf<StoredRecord>(db, resource), [key]),
      readOnce(db.changes, { selector: { resource, recordKey: key } }),
    ])
    const view = recordView(document, changes)
    return view && { resource, ...view }
  },
  /**
   * Ids in the CRM that belong to other records of the collection; a read-back must not match them (crm-contract 4).
   * A record that was first read after the save is not included, because the change may have created it (RULES OC9).
   * @param searched the change that may have created a record; with an `id` the result has at most this one
   */
  async takenIds(resource: string, searched: SearchedChange): Promise<ReadonlySet<string>> {
    if (!isPushCollection(resource)) return new Set()
    const selector = { serverId: searched.id ?? { $gt: '' } }
    const read = await readOnce(collectionOf<StoredRecord>(db, resource), { selector })
    const changes = (await readOnce(db.changes, {})).filter((change) => change.resource === resource)
    const views = [...recordViews(read, changes).values()]
    const taken = views.filter((view) => belongsToAnother(view, searched)).map(({ serverId }) => serverId)
    return new Set(taken.filter((id) => id === (searched.id ?? id)))
  },
})

/** Earlier changes of the record, which end with an accepted one and are removed in the same write. */
const endedWith = ({ record, change }: StatedItem, event: StateEvent) =>
  event === 'accepted' ? settledWith(record.changes as Change[], change) : []

/** The writes of send states. One write stores all changes of one call. */
function writesOf(db: SyncDatabase, report?: Report, lease?: Lease) {
  const { after, modify, writes } = stateWrites<Change>({
    write: (changes) => writeTogether(db.changes, changes),
    lease,
    report,
    // After the user has discarded the change, only an acceptance by the CRM changes its state.
    otherwise: (change, _, event) => (change.state === 'discarded' && event !== 'accepted' ? change : null),
    // The values found for this call, and those of changes that end with it.
    factsFor(change, item, event, { replaced = [], ...others }) {
      const all = [...replaced, ...endedWith(item, event).flatMap((each) => each.replaced ?? [])]
      return all.length > 0 ? { ...others, replaced: withReplaced(change.replaced ?? [], all) } : others
    },
    adjust: withoutUnusedReplaced,
    endedWith,
  })
  return {
    ...writes,
    sendFacts: async (ids) =>
      new Map((await readByKeys(db.changes, ids)).map((change) => [change.id, change])),
    /** Marks a change as ambiguous if a crash left it in the state `sending`. */
    markAmbiguous: (id: string) =>
      modify(id, (change) => (change.state === 'sending' ? after(change, 'crashed', {}) : change)),
    /** Makes a refused change wait again, with a reason to show. A create is read back first (RULES OC6, OC7). */
    reopen: (id: string, reason: string) =>
      modify(id, (change) => {
        const event = isCreating(change) ? 'resentInDoubt' : 'resent'
        const facts = { reasons: [reason], settledAt: '' }
        return change.state === 'refused' ? after(change, event, facts) : change
      }),
    /** Removes changes that ended more than a day ago and no longer affect any view. @param now epoch ms */
    purge: (now: number) => purge(db, now),
  } satisfies SendStates & Record<string, unknown>
}

/** True for a record of another save on this device, or one that the CRM had before the change was saved. */
const belongsToAnother = ({ key, serverId, server }: PushableRecord, searched: SearchedChange): boolean =>
  key !== searched.key && (key !== serverId || (server?.stamp ?? '') < searched.stamp)

/** Reading that took this long is repeated: the page was frozen, and the rows may be of two times (RULES OR1). */
const READ_ANEW_MS = 10_000

type Queued = { store: QueueStore; pending: Map<string, ChangeRef>; elapsed: () => number }

/** The pending changes in the order of saving. Changes whose sending has ended are removed from `pending`. */
export async function readQueue({ store, pending, elapsed }: Queued): Promise<QueueItem[]> {
  if (pending.size === 0) return []
  const begun = elapsed()
  // The pending changes are listed before the read, so that a change saved during the read stays pending.
  const refs = [...pending.values()]
  let records = await store.records(refs)
  if (elapsed() - begun >= READ_ANEW_MS) records = await store.records(refs)
  const open = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  for (const { id } of refs) if (!open.has(id)) pending.delete(id)
  return queueOf(records).filter(({ change }) => pending.has(change.id))
}

/** Removes `replaced` (others' values that this change would replace) if the change certainly did not arrive. */
function withoutUnusedReplaced(_: Change, change: Change, event: StateEvent): Change {
  if (event === 'lost' || event === 'crashed') return { ...change, mayBeThere: true }
  const isNotThere = event === 'refused' || event === 'held' || event === 'expired'
  const { replaced, ...rest } = change
  return isNotThere && !change.mayBeThere && replaced ? rest : change
}

/** Removes changes ended for a day, if their record was removed or has been read since (RULES EX1). */
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
    const records =
      keys.length > 0 ? await readByKeys(collectionOf<StoredRecord>(db, resource), [...new Set(keys)]) : []
    for (const { key, server } of records) readStamps.set(`${resource} ${key}`, server?.stamp ?? '')
  }
  const removable = ended.filter((change) => {
    const read = readStamps.get(recordOf(change))
    return read === undefined || !change.result || read > String(Reflect.get(change.result, 'stamp'))
  })
  if (removable.length > 0)
    await writeTogether(db.changes, new Map(removable.map(({ id }) => [id, () => null])))
}

/** Deletes the results of accepted changes of these records. @param before only results with an earlier stamp */
export async function forgetResults(
  db: SyncDatabase,
  resource: PushCollection,
  keys: readonly string[],
  before = '~',
): Promise<void> {
  if (keys.length === 0) return
  const accepted = await readOnce(db.changes, { selector: { resource, state: 'accepted' } })
  const outdated = accepted.filter(
    ({ recordKey, result }) =>
      keys.includes(recordKey) && result && String(Reflect.get(result, 'stamp')) < before,
  )
  const withoutResult = (change: Change | null): Change | null => {
    const { result: _, ...rest } = change ?? {}
    return change && (rest as Change)
  }
  if (outdated.length > 0)
    await writeTogether(db.changes, new Map(outdated.map(({ id }) => [id, withoutResult])))
}
