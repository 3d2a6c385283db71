/**
 * Tracks which lists of one collection were read. A list counts as read as soon as the CRM has answered. Its
 * receipt is written, and the screen's question answered, only when its records are on the device in the state
 * that was read, not in the state of an earlier read (RULES trap 14, PL4).
 */
import type { WithDeleted } from 'rxdb'
import { deepEqual } from 'rxdb/plugins/core'
import { isoOf } from '#schemas/instant.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import { LONGEST_LIFE_MS } from '#sync/pull/engine/freshness.ts'
import type { RecordList } from '#sync/resources/resource.ts'
import type { KindView, SyncDatabase } from '#sync/storage/database.ts'
import {
  questionAnswerer,
  questionsIn,
  receiptRow,
  receiptsIn,
  removeReceipts,
} from '#sync/storage/interests.ts'
import type { DueList, ListMark } from './record-lists.ts'

/** While reads continue, receipts are written together: at this interval, or when this many are ready. */
const CONFIRM_EVERY_MS = 1_000
const CONFIRMED_AT_ONCE = 25

/** Receipts per write: few enough not to delay the screen. */
const ROWS_AT_ONCE = 200

interface Parts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: Pick<KindView<R>, 'findByIds'>
  clock: Pick<PullClock, 'now' | 'expiryNow'>
  /** True if the marks survive a restart; false for lists of the user's company. */
  isPersistent: boolean
}

/** A list that was read and whose records are not on the device yet. */
interface PendingList<R> {
  mark: ListMark
  written: WithDeleted<R>[]
  question: RecordList['question']
}

export type ListMarks<R extends LocalRecord> = ReturnType<typeof createListMarks<R>>

export function createListMarks<R extends LocalRecord>(parts: Parts<R>) {
  const { db, name, isPersistent } = parts
  const marks = new Map<string, ListMark>()
  const pending = createPendingLists(parts)
  /** Owners of lists that the CRM refused. */
  const refused = new Set<string>()
  const round = createRound()
  let loaded = false

  return {
    round,
    get: (owner: string) => marks.get(owner),
    set: (owner: string, mark: ListMark) => void marks.set(owner, mark),

    /** Starts a new round, in which refused lists are read again. */
    beginRound() {
      round.read.clear()
      for (const owner of refused) marks.delete(owner)
      refused.clear()
    },

    /** Notes that the CRM has refused a list. */
    refused(owner: string, mark: ListMark) {
      marks.set(owner, mark)
      refused.add(owner)
    },

    /** Loads the marks of earlier runs, and deletes those older than any lifetime. */
    async load() {
      if (loaded || !isPersistent) return
      for (const [owner, mark] of await storedMarks(parts)) marks.set(owner, mark)
      loaded = true
    },

    /** Notes a list that was read, and the documents that RxDB will write for it. */
    noteRead(list: RecordList, mark: ListMark, docs: readonly WithDeleted<R>[]) {
      marks.set(list.owner, mark)
      pending.noteRead(list, mark, docs)
    },

    /** The records of these lists have left the device, so the lists count as never read. */
    async forget(owners: ReadonlySet<string>) {
      for (const owner of owners) {
        marks.delete(owner)
        pending.delete(owner)
      }
      if (isPersistent) await removeReceipts(db, name, [...owners])
    },

    /** Lists whose documents have not arrived count as never read, because the device may have refused them (ST4). */
    missed() {
      for (const owner of pending.clear()) marks.delete(owner)
    },

    confirm: pending.confirm,
  }
}

/** The lists that were read in this round. */
function createRound() {
  const read = new Set<string>()
  const answered = new Map<string, string>()
  return {
    /** Their owners. */
    read,
    /** By owner: the newest question of a screen that the last read has answered, ISO 8601. */
    answered,
    /** Notes that a list was read, or needs no call. */
    note({ owner, askedAt }: DueList) {
      read.add(owner)
      answered.set(owner, askedAt)
    },
  }
}

/** The lists that were read and whose records are not on the device yet, by owner. */
function createPendingLists<R extends LocalRecord>(parts: Parts<R>) {
  const pending = new Map<string, PendingList<R>>()
  let confirmedAt = -Infinity
  return {
    noteRead({ owner, question }: RecordList, mark: ListMark, docs: readonly WithDeleted<R>[]) {
      const written = docs.filter((doc) => !doc._deleted)
      // If the documents of an earlier read have not arrived yet, its question is answered together with this read.
      pending.set(owner, { mark, written, question: question ?? pending.get(owner)?.question })
    },
    delete: (owner: string) => void pending.delete(owner),
    /** @returns the owners of the lists that were pending */
    clear(): string[] {
      const owners = [...pending.keys()]
      pending.clear()
      return owners
    },
    /** Writes the receipts of lists whose records have arrived (PL4); fewer writes if `isBusy`. */
    async confirm(isBusy: boolean) {
      if (isBusy && !isWriteDue(pending, performance.now() - confirmedAt)) return
      confirmedAt = performance.now()
      for (const [owner, one] of await confirmArrived(parts, pending))
        // Removed only after the write: if a full device refuses it, the next call repeats it.
        if (pending.get(owner) === one) pending.delete(owner)
    },
  }
}

const isWriteDue = <R>(pending: ReadonlyMap<string, PendingList<R>>, sinceMs: number): boolean =>
  pending.size >= CONFIRMED_AT_ONCE ||
  sinceMs >= CONFIRM_EVERY_MS ||
  [...pending.values()].some(({ question }) => question !== undefined)

type Arrived<R> = readonly [owner: string, one: PendingList<R>]

/**
 * Writes the receipts of lists that have arrived, and answers their questions.
 * @returns the lists that have arrived
 */
async function confirmArrived<R extends LocalRecord>(
  { db, name, collection, clock, isPersistent }: Parts<R>,
  pending: ReadonlyMap<string, PendingList<R>>,
): Promise<Arrived<R>[]> {
  const arrived = await arrivedOf(pending, collection)
  const rows = isPersistent ? arrived.map(([owner, { mark }]) => receiptRow(name, { owner, ...mark })) : []
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await db.interests.bulkUpsert(rows.slice(at, at + ROWS_AT_ONCE))
  const answer = questionAnswerer(db, clock)
  for (const [, { question }] of arrived)
    if (question) await answer({ question, state: 'answered', total: 0 })
  return arrived
}

/** The lists whose records are on the device as they were read. */
async function arrivedOf<R extends LocalRecord>(
  pending: ReadonlyMap<string, PendingList<R>>,
  collection: Pick<KindView<R>, 'findByIds'>,
): Promise<Arrived<R>[]> {
  const lists = [...pending]
  const keys = lists.flatMap(([, { written }]) => written.map(({ key }) => key))
  const found = keys.length > 0 ? await collection.findByIds(keys).exec() : new Map<string, never>()
  const isThere = (doc: WithDeleted<R>) => hasArrived(doc, found.get(doc.key)?.toJSON() as R | undefined)
  return lists.filter(([, { written }]) => written.every(isThere))
}

/** True if the device has what was read, or a newer state. */
const hasArrived = <R extends LocalRecord>(read: R, local: R | undefined): boolean =>
  local !== undefined &&
  (read.server
    ? (local.server?.stamp ?? '') >= read.server.stamp
    : deepEqual({ ...read, _deleted: false }, { ...local, _deleted: false }))

/** The marks of earlier runs. Deletes outdated ones, and questions for lists that nobody waits for any more. */
async function storedMarks({
  db,
  name,
  clock,
}: Pick<Parts<never>, 'db' | 'name' | 'clock'>): Promise<[owner: string, mark: ListMark][]> {
  const receipts = await receiptsIn(db, name)
  const before = isoOf(clock.expiryNow() - LONGEST_LIFE_MS)
  const old = receipts.filter(({ at }) => at <= before)
  await removeReceipts(
    db,
    name,
    old.map(({ owner }) => owner),
  )
  // Questions are stamped by the wall clock. If it is behind, new questions are not old (EX3).
  const askedBefore = isoOf(Math.min(clock.now(), clock.expiryNow()) - EXPIRY_MS)
  const questions = (await questionsIn(db)).filter(
    ({ kind, resource, askedAt }) => kind === 'list' && resource === name && askedAt <= askedBefore,
  )
  await db.interests.bulkRemove(questions.map(({ key }) => key))
  // Equal texts share one string in memory, because there are thousands.
  const known = new Map<string, string>()
  const shared = (text: string) => known.get(text) ?? (known.set(text, text), text)
  return receipts
    .filter(({ at }) => at > before)
    .map(({ owner, because, stamp, at }) => [
      owner,
      { because: shared(because), stamp: shared(stamp), at: shared(at) },
    ])
}
