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
  /** Takes a wish back, unless another one was made meanwhile. */
  granted(id: string, wish: LedgerEntry['wish']): Promise<void>
  /**
   * Takes away what is more than a day old and whose change is no longer in a record: acknowledged, discarded by the user,
   * or replaced by a later one.
   */
  purge(now: number, isInUse: (entry: LedgerEntry) => boolean): Promise<void>
}

export function createLedger(db: SyncDatabase): Ledger {
  return {
    async read(ids) {
      const docs = ids ? await db.ledger.findByIds([...ids]).exec() : await db.ledger.find().exec()
      return new Map([...docs.values()].map((doc) => [doc.id, doc.toMutableJSON()]))
    },
    async put(items, patch) {
      const current = await db.ledger.findByIds(items.map(({ change }) => change.id)).exec()
      const write = async (item: QueueItem) => {
        const row = { ...blankLedgerEntry(item), ...patch }
        const found = current.get(item.change.id)
        const doc = found ?? (await db.ledger.insertIfNotExists(row))
        // only these fields, where it was there or a wish made it in this moment: the wish stays
        if (found || doc.wish !== row.wish) await doc.incrementalPatch(patch)
      }
      await Promise.all(items.map(write))
    },
    async patch(id, patch) {
      const doc = await db.ledger.findOne(id).exec()
      await doc?.incrementalPatch(patch)
    },
    async granted(id, wish) {
      const doc = await db.ledger.findOne(id).exec()
      await doc?.incrementalModify((entry) => (entry.wish === wish ? { ...entry, wish: 'none' } : entry))
    },
    async purge(now, isInUse) {
      const before = now - EXPIRY_HOURS * 3_600_000
      const rows = (await db.ledger.find().exec()).map((doc) => doc.toMutableJSON())
      const isOld = ({ savedAt, settledAt }: LedgerEntry) =>
        ![savedAt, settledAt].some((at) => Date.parse(at) >= before)
      await db.ledger.bulkRemove(rows.filter((row) => isOld(row) && !isInUse(row)).map(({ id }) => id))
    },
  }
}
