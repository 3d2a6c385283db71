/**
 * What the engine needs of the device's storage: the records that travel and their ledger, one at a time. The sender and
 * the decisions are written against this port; RxDB stands behind it in the app, and a store that crashes at every step in
 * the simulation.
 */
import type { PendingRecord } from '#schemas/change-queue.ts'
import type { PushableRecord } from '#schemas/change.ts'
import { pushCollections, type PushCollection } from '#schemas/push-collections.ts'
import { collectionOf, type SyncDatabase } from '../storage/database.ts'
import { createLedger, type Ledger, type Report } from './ledger.ts'
import { mayWrite, type Hold } from '../leadership/hold.ts'

export interface QueueStore {
  /** Names the lock of this user's queue. */
  name: string
  ledger: Ledger
  /** The same, as long as the hold of a lock allows: a write after it throws. */
  within(hold: Hold): QueueStore
  /** Every record with something unsent, of all collections, as it is on disk now. */
  pending(): Promise<PendingRecord[]>
  record(resource: string, key: string): Promise<PendingRecord | null>
  /**
   * Atomic: no save in between is lost. The record given back untouched is written all the same (a touch); null removes it.
   */
  modify(
    resource: string,
    key: string,
    change: (record: PushableRecord) => PushableRecord | null,
  ): Promise<void>
  /**
   * The CRM's ids that other records of the collection hold: what is read back cannot be one of them (crm-contract 4). A row
   * that was only read, and after the change was saved, may be what the change has made (RULES OC9): it takes none.
   */
  takenIds(resource: string, asking: Asking): Promise<ReadonlySet<string>>
}

/** Whose creating change is looked for: its record's key, and its own stamp. */
interface Asking {
  key: string
  stamp: string
  /** Only this id is asked about. */
  id?: string
}

/** A pushed collection, whichever it is. */
export const pushedCollection = (db: SyncDatabase, name: PushCollection) =>
  collectionOf<PushableRecord>(db, name)

/** Every record with something unsent, of all collections. */
export async function unsentRecords(db: SyncDatabase): Promise<PendingRecord[]> {
  const unsentOf = async (resource: PushCollection): Promise<PendingRecord[]> => {
    const docs = await pushedCollection(db, resource)
      .find({ selector: { unsent: 'yes' } })
      .exec()
    return docs.map((doc) => ({ resource, ...doc.toMutableJSON() }))
  }
  return (await Promise.all(pushCollections.map(unsentOf))).flat()
}

/** @param report told of what the ledger was told and does not know */
export function rxQueueStore(db: SyncDatabase, report?: Report, hold?: Hold): QueueStore {
  const find = async (resource: string, key: string) => {
    const collection = pushCollections.find((name) => name === resource)
    return collection ? pushedCollection(db, collection).findOne(key).exec() : null
  }
  return {
    name: db.name,
    ledger: createLedger(db, { hold, report }),
    within: (next) => rxQueueStore(db, report, next),
    pending: () => unsentRecords(db),
    async record(resource, key) {
      const doc = await find(resource, key)
      return doc && { resource, ...doc.toMutableJSON() }
    },
    async modify(resource, key, change) {
      const doc = await find(resource, key)
      await doc?.incrementalModify((record) => {
        mayWrite(hold)
        // what is discarded is unsent no more: left in there it would keep all that was deleted (RULES EX4)
        return change(record) ?? { ...record, changes: [], unsent: 'no', _deleted: true }
      })
    },
    async takenIds(resource, asking) {
      const collection = pushCollections.find((name) => name === resource)
      if (!collection) return new Set()
      const docs = await pushedCollection(db, collection)
        .find({ selector: { serverId: asking.id ?? { $gt: '' } } })
        .exec()
      return new Set(docs.filter((doc) => isAnothers(doc, asking)).map(({ serverId }) => serverId))
    },
  }
}

/** Made here by another change, or in the CRM before this one was saved. What was edited since it was read was read first. */
function isAnothers({ key, serverId, server }: PushableRecord, asking: Asking): boolean {
  return key !== asking.key && (key !== serverId || (server?.stamp ?? '') < asking.stamp)
}
