/**
 * The ledger's writes. An entry is made by the sync module just before the first call of its change, and holds where
 * the change stands from then on (RULES OC1–OC3). Nothing here deletes an entry that is not acknowledged (SV3).
 */
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { blankLedgerEntry, type QueueItem } from '#schemas/change-queue.ts'
import type { SyncDatabase } from './database.ts'

export type LedgerPatch = Partial<
  Pick<
    LedgerEntry,
    | 'state'
    | 'serverId'
    | 'reasons'
    | 'status'
    | 'serverErrors'
    | 'payload'
    | 'settledAt'
    | 'wish'
    | 'savedAt'
  >
>

export interface Ledger {
  /** The entries of these changes, or all there are. */
  read(ids?: readonly string[]): Promise<Map<string, LedgerEntry>>
  /** Writes what is known of these changes, on disk when it resolves. */
  put(items: readonly QueueItem[], patch: LedgerPatch): Promise<void>
  patch(id: string, patch: LedgerPatch): Promise<void>
  /** Takes away entries that were acknowledged, or discarded by the user, more than a day ago. */
  purge(now: number): Promise<void>
}

export function createLedger(db: SyncDatabase): Ledger {
  return {
    async read(ids) {
      const docs = ids ? await db.ledger.findByIds([...ids]).exec() : await db.ledger.find().exec()
      return new Map([...docs.values()].map((doc) => [doc.id, doc.toMutableJSON()]))
    },
    async put(items, patch) {
      // field by field: a wish that the user sets meanwhile stays
      for (const item of items) {
        const row = { ...blankLedgerEntry(item), ...patch }
        const found = await db.ledger.findOne(item.change.id).exec()
        const doc = found ?? (await db.ledger.insertIfNotExists(row))
        // found, or made by a wish in this very moment
        if (found || doc.wish !== row.wish) await doc.incrementalPatch(patch)
      }
    },
    async patch(id, patch) {
      const doc = await db.ledger.findOne(id).exec()
      await doc?.incrementalPatch(patch)
    },
    async purge(now) {
      const before = new Date(now - EXPIRY_HOURS * 3_600_000).toISOString()
      const docs = await db.ledger.find({ selector: { state: { $in: ['accepted', 'discarded'] } } }).exec()
      await db.ledger.bulkRemove(docs.filter((doc) => doc.settledAt < before).map((doc) => doc.id))
    },
  }
}
