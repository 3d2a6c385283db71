/**
 * The storage that the sender needs: changes with their send states, and their records. The app implements this port
 * with RxDB. The simulation implements it with a store that crashes at every step.
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
import { readByKeys, readOnce } from '#sync/storage/device-rows.ts'
import { createChangeStates, type ChangeStates } from './change-states.ts'
import type { Report } from './send-states.ts'
import type { Lease } from '#sync/leadership/lease.ts'

export type ChangeRef = Pick<Change, 'id' | 'resource' | 'recordKey'>

export interface QueueStore {
  /** Name of the user's database. It is part of the name of the send lock. */
  name: string
  states: ChangeStates
  /** Returns a store whose writes throw once the lease has ended. */
  within(lease: Lease): QueueStore
  /** Returns all changes that are neither accepted nor discarded. */
  open(): Promise<Change[]>
  records(refs: Iterable<ChangeRef>): Promise<PendingRecord[]>
  record(resource: string, key: string): Promise<PendingRecord | null>
  /**
   * Ids in the CRM that belong to other records of the collection; a read-back must not match them (crm-contract 4).
   * A record that was first read after the save is not included, because the change may have created it (RULES OC9).
   */
  takenIds(resource: string, searched: SearchedChange): Promise<ReadonlySet<string>>
}

/** The name of a lock that all tabs share, so that one change at a time is sent. */
export const sendLock = ({ name }: Pick<QueueStore, 'name'>) => `genba-send-${name}`

/** A change that may have created a record in the CRM. */
interface SearchedChange {
  key: string
  stamp: string
  /** Id in the CRM. If present, the result has at most this id. */
  id?: string
}

export const pulledCollection = (db: SyncDatabase, name: PushCollection) =>
  collectionOf<StoredRecord>(db, name)

export const openChanges = (db: SyncDatabase): Promise<Change[]> =>
  readOnce(db.changes, { selector: { state: { $in: [...OPEN] } } })

const OPEN = ['waiting', 'sending', 'unknown', 'refused', 'expired'] as const

/** For more keys, one query of all changes replaces the query by key. */
const KEYS_PER_QUERY = 20

interface Parts {
  /** Receives events that the current send state does not allow. */
  report?: Report | undefined
}

/** Creates the queue store on RxDB. @param lease if present, a write after its end throws */
export function rxQueueStore(db: SyncDatabase, parts: Parts = {}, lease?: Lease): QueueStore {
  const stored = (name: PushCollection, keys: readonly string[]) =>
    readByKeys(pulledCollection(db, name), keys)
  const changesOf = (keys: readonly string[]): Promise<Change[]> => {
    const isMany = keys.length > KEYS_PER_QUERY
    return readOnce(db.changes, isMany ? {} : { selector: { recordKey: { $in: [...keys] } } })
  }
  return {
    name: db.name,
    states: createChangeStates(db, { lease, report: parts.report }),
    within: (next) => rxQueueStore(db, parts, next),
    open: () => openChanges(db),
    async records(refs) {
      const keys = [...new Set([...refs].map(({ recordKey }) => recordKey))]
      const all = keys.length === 0 ? [] : await changesOf(keys)
      const inCollection = async (resource: PushCollection): Promise<PendingRecord[]> => {
        const changes = all.filter((change) => change.resource === resource)
        const openKeys = new Set(changes.filter(isOpen).map(({ recordKey }) => recordKey))
        if (openKeys.size === 0) return []
        const ofOpen = changes.filter(({ recordKey }) => openKeys.has(recordKey))
        const views = recordViews(await stored(resource, [...openKeys]), ofOpen)
        return [...views.values()].map((record) => ({ resource, ...record }))
      }
      return (await Promise.all(pushCollections.map(inCollection))).flat()
    },
    async record(resource, key) {
      if (!isPushCollection(resource)) return null
      const [documents, all] = await Promise.all([stored(resource, [key]), changesOf([key])])
      const changes = all.filter((change) => change.resource === resource)
      const view = recordView(documents[0], changes)
      return view && { resource, ...view }
    },
    async takenIds(resource, searched) {
      if (!isPushCollection(resource)) return new Set()
      const documents = await readOnce(pulledCollection(db, resource), {
        selector: { serverId: searched.id ?? { $gt: '' } },
      })
      const changes = (await readOnce(db.changes, {})).filter((change) => change.resource === resource)
      const views = [...recordViews(documents, changes).values()]
      const taken = views.filter((view) => belongsToAnother(view, searched)).map(({ serverId }) => serverId)
      return new Set(taken.filter((id) => id === (searched.id ?? id)))
    },
  }
}

/**
 * True if the searched change cannot have created this record: the record was created by another save on this device,
 * or was in the CRM before the change was saved.
 */
function belongsToAnother({ key, serverId, server }: PushableRecord, searched: SearchedChange): boolean {
  return key !== searched.key && (key !== serverId || (server?.stamp ?? '') < searched.stamp)
}
