/**
 * What the engine needs of the device's storage: changes with their send state, and the records that they belong to, as both
 * are on disk now. The sender is written against this port; RxDB is behind it in the app, and a store that crashes at every
 * step in the simulation.
 */
import type { PendingRecord } from '#schemas/changes/change-queue.ts'
import type { Change, PushableRecord, StoredRecord } from '#schemas/change.ts'
import {
  isPushCollection,
  pushCollections,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import { isOpen, recordView, recordViews } from '#schemas/changes/record-view.ts'
import { collectionOf, type SyncDatabase } from '#sync/storage/database.ts'
import { readByKeys, readOnce } from '#sync/storage/read-once.ts'
import { createChangeStates, type ChangeStates } from './change-states.ts'
import type { Report } from './send-states.ts'
import type { Lease } from '#sync/leadership/lease.ts'

/** A change and the record that it belongs to. */
export type Place = Pick<Change, 'id' | 'resource' | 'recordKey'>

export interface QueueStore {
  /** Names the lock of this user's changes. */
  name: string
  states: ChangeStates
  /** The same, as long as the hold of a lock allows: a write after it throws. */
  within(hold: Lease): QueueStore
  /** Every change that is open: asked once, at a start. */
  open(): Promise<Change[]>
  /** The records of these changes, as they are on disk now. */
  records(places: Iterable<Place>): Promise<PendingRecord[]>
  record(resource: string, key: string): Promise<PendingRecord | null>
  /**
   * The CRM's ids that other records of the collection hold: what is read back cannot be one of them (crm-contract 4). A row
   * that was only read, and after the change was saved, may be what the change has made (RULES OC9): it takes none.
   */
  takenIds(resource: string, asking: Asking): Promise<ReadonlySet<string>>
}

/** One change at a time, over all tabs. */
export const sendLock = ({ name }: Pick<QueueStore, 'name'>) => `genba-send-${name}`

/** Whose creating change is looked for: its record's key, and its own stamp. */
interface Asking {
  key: string
  stamp: string
  /** Only this id is asked about. */
  id?: string
}

/** The documents of a collection that is pulled, whichever it is. */
export const pulledCollection = (db: SyncDatabase, name: PushCollection) =>
  collectionOf<StoredRecord>(db, name)

/** Every change that is open. */
export const openChanges = (db: SyncDatabase): Promise<Change[]> =>
  readOnce(db.changes, { selector: { state: { $in: [...OPEN] } } })

const OPEN = ['waiting', 'sending', 'unknown', 'refused', 'expired'] as const

/** All changes of these records, whatever became of them. */
const changesOf = async (db: SyncDatabase, keys: readonly string[]): Promise<Change[]> =>
  keys.length === 0 ? [] : readOnce(db.changes, { selector: { recordKey: { $in: [...keys] } } })

const allChanges = (db: SyncDatabase): Promise<Change[]> => readOnce(db.changes, {})

const isOf =
  (name: string) =>
  ({ resource }: Change) =>
    resource === name

/** More keys than this are looked for among all. */
const KEYS_ASKED = 20

interface Parts {
  /** Told of what a change was told and does not know. */
  report?: Report | undefined
}

export function rxQueueStore(db: SyncDatabase, parts: Parts = {}, hold?: Lease): QueueStore {
  const stored = (name: PushCollection, keys: readonly string[]) =>
    readByKeys(pulledCollection(db, name), keys)
  return {
    name: db.name,
    states: createChangeStates(db, { hold, report: parts.report }),
    within: (next) => rxQueueStore(db, parts, next),
    open: () => openChanges(db),
    async records(places) {
      const keys = [...new Set([...places].map(({ recordKey }) => recordKey))]
      const among = keys.length > KEYS_ASKED ? await allChanges(db) : await changesOf(db, keys)
      const inCollection = async (resource: PushCollection): Promise<PendingRecord[]> => {
        const changes = among.filter(isOf(resource))
        const asked = new Set(changes.filter(isOpen).map(({ recordKey }) => recordKey))
        if (asked.size === 0) return []
        const views = recordViews(
          await stored(resource, [...asked]),
          changes.filter(({ recordKey }) => asked.has(recordKey)),
        )
        return [...views.values()].map((record) => ({ resource, ...record }))
      }
      return (await Promise.all(pushCollections.map(inCollection))).flat()
    },
    async record(resource, key) {
      if (!isPushCollection(resource)) return null
      const [documents, changes] = await Promise.all([stored(resource, [key]), changesOf(db, [key])])
      const view = recordView(documents[0], changes.filter(isOf(resource)))
      return view && { resource, ...view }
    },
    async takenIds(resource, asking) {
      if (!isPushCollection(resource)) return new Set()
      const documents = await readOnce(pulledCollection(db, resource), {
        selector: { serverId: asking.id ?? { $gt: '' } },
      })
      const changes = (await allChanges(db)).filter(isOf(resource))
      const views = [...recordViews(documents, changes).values()]
      const taken = views.filter((view) => isAnothers(view, asking)).map(({ serverId }) => serverId)
      return new Set(taken.filter((id) => id === (asking.id ?? id)))
    },
  }
}

/** Made here by another change, or in the CRM before this one was saved. What was edited since it was read was read first. */
function isAnothers({ key, serverId, server }: PushableRecord, asking: Asking): boolean {
  return key !== asking.key && (key !== serverId || (server?.stamp ?? '') < asking.stamp)
}
