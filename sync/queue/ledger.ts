/**
 * The ledger's writes by the sync module. An entry is there before the first call of its change leaves, and holds where
 * the change stands from then on (RULES OC1–OC3). An old one goes only where its change is in no record any more:
 * acknowledged, discarded, or replaced by a later one (SV3, EX1).
 */
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { blankLedgerEntry, CREATING_KINDS, isInDoubt, type QueueItem } from '#schemas/change-queue.ts'
import { afterEvent, type LedgerEvent } from './ledger-table.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { mayWrite, type Hold } from '../leadership/hold.ts'

/** What is written of a change beside its state. */
export type LedgerFacts = Partial<
  Pick<
    LedgerEntry,
    'serverId' | 'reasons' | 'status' | 'serverErrors' | 'payload' | 'settledAt' | 'wish' | 'savedAt'
  >
>

export interface Ledger {
  /** The entries of these changes, or all there are. */
  read(ids?: readonly string[]): Promise<Map<string, LedgerEntry>>
  /**
   * The same; where several are read and one is in doubt, those as they are on disk: how the call of another tab ended may not
   * have been heard here yet, and a later edit of the record is laid over what that one said (MG3). Under the send lock.
   */
  readThrough(ids: readonly string[]): Promise<Map<string, LedgerEntry>>
  /**
   * Writes `sending`, before a call leaves.
   * @returns false where one of them is to be discarded by now: the call must not leave (SV2)
   * @throws Moved where a row is not as it was read: another tab has been at it, and this one has not heard of it yet
   */
  begin(items: readonly QueueItem[], payload: string): Promise<boolean>
  /**
   * Writes what happened to these changes, on disk when it resolves. What the state of a row does not know changes nothing
   * of it, and is reported (`ledger-table.ts`).
   */
  put(items: readonly QueueItem[], event: LedgerEvent, facts?: LedgerFacts): Promise<void>
  /** The same for a row that is there. */
  tell(id: string, event: LedgerEvent, facts?: LedgerFacts): Promise<void>
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

/** Whether the call of a row that was read may leave; of what it does not know none leaves (RULES OC3). */
const mayBegin =
  (unknown: (entry: LedgerEntry, event: LedgerEvent) => void) =>
  ({ ledger }: QueueItem) =>
  (entry: LedgerEntry): void => {
    if (entry.wish === 'discard') throw new Unwanted(entry.id)
    if (entry.state !== (ledger?.state ?? 'waiting')) throw new Moved(entry.state)
    if (afterEvent(entry.state, 'began') !== null) return
    unknown(entry, 'began')
    throw new Moved(entry.state)
  }

interface Parts {
  /** Nothing is written after it. */
  hold?: Hold | undefined
  /** Told of what a row did not know. */
  report?: Report | undefined
}

export type Report = (problem: string) => void

/** What becomes of a row, and what is told where it does not know what happened. */
function rows({ hold, report }: Parts) {
  const unknown = (entry: LedgerEntry, event: LedgerEvent) =>
    report?.(`ledger: ${event} in state ${entry.state}, ${entry.resource} ${entry.kind}`)
  return {
    unknown,
    after(entry: LedgerEntry, event: LedgerEvent, facts: LedgerFacts): LedgerEntry {
      mayWrite(hold)
      const state = afterEvent(entry.state, event)
      if (state !== null) return { ...entry, ...facts, state }
      unknown(entry, event)
      return entry
    },
  }
}

export function createLedger(db: SyncDatabase, { hold, report }: Parts = {}): Ledger {
  type Guard = (entry: LedgerEntry) => void
  const { unknown, after } = rows({ hold, report })
  const put = async (
    items: readonly QueueItem[],
    event: LedgerEvent,
    facts: LedgerFacts = {},
    guard?: (item: QueueItem) => Guard,
  ) => {
    const current = await db.ledger.findByIds(items.map(({ change }) => change.id)).exec()
    const write = async (item: QueueItem) => {
      const row = () => after(blankLedgerEntry(item), event, facts)
      const known = current.get(item.change.id)
      if (!known && (await db.ledger.bulkInsert([row()])).error.length === 0) return
      // there, or made in this moment: only these fields, so that a wish stays
      const doc = known ?? (await db.ledger.insertIfNotExists(row()))
      await doc.incrementalModify((entry) => {
        guard?.(item)(entry)
        return after(entry, event, facts)
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
  const read: Ledger['read'] = (ids) => readRows(db, ids)
  const doubt = (id: string) =>
    modify(id, (entry) => (entry.state === 'sending' ? after(entry, 'crashed', {}) : entry))
  return {
    read,
    readThrough: (ids) => readThrough({ read, doubt }, ids),
    async begin(items, payload) {
      try {
        await put(items, 'began', { payload }, mayBegin(unknown))
        return true
      } catch (error) {
        if (error instanceof Unwanted) return false
        throw error
      }
    },
    put: (items, event, facts) => put(items, event, facts),
    tell: (id, event, facts = {}) => modify(id, (entry) => after(entry, event, facts)),
    doubt,
    reopen: (id, reason) =>
      modify(id, (entry) => {
        if (entry.state !== 'refused') return entry
        const event = CREATING_KINDS.includes(entry.kind) ? 'resentInDoubt' : 'resent'
        return after(entry, event, { reasons: [reason], settledAt: '' })
      }),
    granted: (id, wish) => modify(id, (entry) => (entry.wish === wish ? { ...entry, wish: 'none' } : entry)),
    purge: (now, isInUse) => purge(db, now, isInUse),
  }
}

async function readRows(db: SyncDatabase, ids?: readonly string[]): Promise<Map<string, LedgerEntry>> {
  const docs = ids ? await db.ledger.findByIds([...ids]).exec() : await db.ledger.find().exec()
  return new Map([...docs.values()].map((doc) => [doc.id, doc.toMutableJSON()]))
}

async function readThrough(
  { read, doubt }: Pick<Ledger, 'read' | 'doubt'>,
  ids: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const rows = await read(ids)
  const doubted = ids.length > 1 ? ids.filter((id) => isInDoubt({ ledger: rows.get(id) })) : []
  // a write goes by what is on disk, a read by what this tab has heard
  for (const id of doubted) await doubt(id)
  return doubted.length > 0 ? read(ids) : rows
}

async function purge(db: SyncDatabase, now: number, isInUse: (entry: LedgerEntry) => boolean): Promise<void> {
  const before = now - EXPIRY_MS
  const rows = (await db.ledger.find().exec()).map((doc) => doc.toMutableJSON())
  const isOld = ({ savedAt, settledAt }: LedgerEntry) =>
    ![savedAt, settledAt].some((at) => Date.parse(at) >= before)
  await db.ledger.bulkRemove(rows.filter((row) => isOld(row) && !isInUse(row)).map(({ id }) => id))
}
