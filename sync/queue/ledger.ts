/**
 * The ledger's writes by the sync module. An entry is there before the first call of its change leaves, and holds where
 * the change stands from then on (RULES OC1–OC3). An old one goes only where its change is in no record any more:
 * acknowledged, discarded, or replaced by a later one (SV3, EX1).
 */
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { blankLedgerEntry, CREATING_KINDS, type QueueItem } from '#schemas/change-queue.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { mayWrite, type Hold } from '../leadership/hold.ts'

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
  /**
   * Writes `sending`, before a call leaves.
   * @returns false where one of them is to be discarded by now: the call must not leave (SV2)
   * @throws Moved where a row is not as it was read: another tab has been at it, and this one has not heard of it yet
   */
  begin(items: readonly QueueItem[], payload: string): Promise<boolean>
  /** Writes what is known of these changes, on disk when it resolves. */
  put(items: readonly QueueItem[], patch: LedgerPatch): Promise<void>
  patch(id: string, patch: LedgerPatch): Promise<void>
  /** A `sending` that a crash left is in doubt, unless another tab has come to its end meanwhile. */
  doubt(id: string): Promise<void>
  /** What was refused waits again for that reason; what creates a record is looked for first (RULES OC6, OC7). */
  reopen(id: string, reason: string): Promise<void>
  /** Takes a wish back, unless another one was made meanwhile. */
  granted(id: string, wish: LedgerEntry['wish']): Promise<void>
  /**
   * Takes away what is more than a day old and whose change is no longer in a record: acknowledged, discarded by the user,
   * or replaced by a later one.
   */
  purge(now: number, isInUse: (entry: LedgerEntry) => boolean): Promise<void>
}

class Moved extends Error {}
class Unwanted extends Error {}

const mayBegin =
  ({ ledger }: QueueItem) =>
  (entry: LedgerEntry): void => {
    if (entry.wish === 'discard') throw new Unwanted(entry.id)
    if (entry.state !== (ledger?.state ?? 'waiting')) throw new Moved(entry.state)
  }

/** @param hold nothing is written after it */
export function createLedger(db: SyncDatabase, hold?: Hold): Ledger {
  type Guard = (entry: LedgerEntry) => void
  async function put(items: readonly QueueItem[], patch: LedgerPatch, guard?: (item: QueueItem) => Guard) {
    const current = await db.ledger.findByIds(items.map(({ change }) => change.id)).exec()
    const write = async (item: QueueItem) => {
      mayWrite(hold)
      const row = { ...blankLedgerEntry(item), ...patch }
      const known = current.get(item.change.id)
      if (!known && (await db.ledger.bulkInsert([row])).error.length === 0) return
      // there, or made in this moment: only these fields, so that a wish stays
      const doc = known ?? (await db.ledger.insertIfNotExists(row))
      await doc.incrementalModify((entry) => {
        mayWrite(hold)
        guard?.(item)(entry)
        return { ...entry, ...patch }
      })
    }
    await Promise.all(items.map(write))
  }
  const modify = async (id: string, change: (entry: LedgerEntry) => LedgerEntry) => {
    const doc = await db.ledger.findOne(id).exec()
    await doc?.incrementalModify((entry) => {
      mayWrite(hold)
      return change(entry)
    })
  }
  return {
    async read(ids) {
      const docs = ids ? await db.ledger.findByIds([...ids]).exec() : await db.ledger.find().exec()
      return new Map([...docs.values()].map((doc) => [doc.id, doc.toMutableJSON()]))
    },
    async begin(items, payload) {
      try {
        await put(items, { state: 'sending', payload }, mayBegin)
        return true
      } catch (error) {
        if (error instanceof Unwanted) return false
        throw error
      }
    },
    put: (items, patch) => put(items, patch),
    patch: (id, patch) => modify(id, (entry) => ({ ...entry, ...patch })),
    doubt: (id) =>
      modify(id, (entry) => (entry.state === 'sending' ? { ...entry, state: 'unknown' } : entry)),
    reopen: (id, reason) =>
      modify(id, (entry) => {
        if (entry.state !== 'refused') return entry
        const state = CREATING_KINDS.includes(entry.kind) ? 'unknown' : 'waiting'
        return { ...entry, state, reasons: [reason], settledAt: '' }
      }),
    granted: (id, wish) => modify(id, (entry) => (entry.wish === wish ? { ...entry, wish: 'none' } : entry)),
    async purge(now, isInUse) {
      const before = now - EXPIRY_HOURS * 3_600_000
      const rows = (await db.ledger.find().exec()).map((doc) => doc.toMutableJSON())
      const isOld = ({ savedAt, settledAt }: LedgerEntry) =>
        ![savedAt, settledAt].some((at) => Date.parse(at) >= before)
      await db.ledger.bulkRemove(rows.filter((row) => isOld(row) && !isInUse(row)).map(({ id }) => id))
    },
  }
}
