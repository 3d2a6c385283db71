/**
 * The writes of send states by the sync module. A row is there before the first call leaves, and says how far it is from then
 * on (RULES OC1–OC3). Of a change of a record its own document is the row (`change-states.ts`), of a photo one of the ledger.
 */
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { LedgerEntry } from '#schemas/changes/ledger-entry.ts'
import type { Change } from '#schemas/change.ts'
import { blankLedgerEntry, CREATING_KINDS, isInDoubt, type QueueItem } from '#schemas/changes/change-queue.ts'
import { afterEvent, type LedgerEvent } from '#schemas/send-state.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { mayWrite, type Lease } from '#sync/leadership/lease.ts'

/** What is written of a change beside its state. */
export type LedgerFacts = Partial<
  Pick<
    LedgerEntry,
    'serverId' | 'reasons' | 'status' | 'serverErrors' | 'payload' | 'settledAt' | 'wish' | 'waitingSince'
  >
> &
  Pick<Change, 'result' | 'replaced'>

/** The same for all, or what is written of each. */
export type FactsOf = LedgerFacts | ((item: QueueItem) => LedgerFacts)
export const factsOf = (facts: FactsOf, item: QueueItem): LedgerFacts =>
  typeof facts === 'function' ? facts(item) : facts

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
  begin(items: readonly QueueItem[], payload: string, facts?: FactsOf): Promise<boolean>
  /**
   * Writes what happened to these changes, on disk when it resolves. What the state of a row does not know changes nothing
   * of it, and is reported (`schemas/send-state.ts`).
   */
  put(items: readonly QueueItem[], event: LedgerEvent, facts?: FactsOf): Promise<void>
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

/** A row is not as it was read. */
export class Moved extends Error {}
/** A row is to be discarded. */
export class Unwanted extends Error {}

/** Whether the call of a row that was read may leave; of what it does not know none leaves (RULES OC3). */
export const mayBegin =
  (unknown: (entry: LedgerEntry, event: LedgerEvent) => void) =>
  ({ ledger }: QueueItem) =>
  (entry: LedgerEntry): void => {
    if (entry.wish === 'discard') throw new Unwanted(entry.id)
    if (entry.state !== (ledger?.state ?? 'waiting')) throw new Moved(entry.state)
    if (afterEvent(entry.state, 'began') !== null) return
    unknown(entry, 'began')
    throw new Moved(entry.state)
  }

export interface LedgerParts {
  /** Nothing is written after it. */
  hold?: Lease | undefined
  /** Told of what a row did not know. */
  report?: Report | undefined
}

export type Report = (problem: string) => void

/** What becomes of a row, and what is told where it does not know what happened. */
export function rows<R extends LedgerEntry>({ hold, report }: LedgerParts) {
  const unknown = (entry: LedgerEntry, event: LedgerEvent) =>
    report?.(`ledger: ${event} in state ${entry.state}, ${entry.resource} ${entry.kind}`)
  return {
    unknown,
    after(entry: R, event: LedgerEvent, facts: LedgerFacts): R {
      mayWrite(hold)
      const state = afterEvent(entry.state, event)
      if (state !== null) return { ...entry, ...facts, state }
      unknown(entry, event)
      return entry
    },
  }
}

export function createLedger(db: SyncDatabase, { hold, report }: LedgerParts = {}): Ledger {
  type Guard = (entry: LedgerEntry) => void
  const { unknown, after } = rows<LedgerEntry>({ hold, report })
  const put = async (
    items: readonly QueueItem[],
    event: LedgerEvent,
    facts: FactsOf = {},
    guard?: (item: QueueItem) => Guard,
  ) => {
    const current = await db.ledger.findByIds(items.map(({ change }) => change.id)).exec()
    const write = async (item: QueueItem) => {
      const row = () => after(blankLedgerEntry(item), event, factsOf(facts, item))
      const known = current.get(item.change.id)
      if (!known && (await db.ledger.bulkInsert([row()])).error.length === 0) return
      // there, or made in this moment: only these fields, so that a wish stays
      const doc = known ?? (await db.ledger.insertIfNotExists(row()))
      await doc.incrementalModify((entry) => {
        guard?.(item)(entry)
        return after(entry, event, factsOf(facts, item))
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
  const isOld = ({ waitingSince, settledAt }: LedgerEntry) =>
    ![waitingSince, settledAt].some((at) => Date.parse(at) >= before)
  await db.ledger.bulkRemove(rows.filter((row) => isOld(row) && !isInUse(row)).map(({ id }) => id))
}
