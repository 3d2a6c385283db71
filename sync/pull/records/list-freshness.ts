/**
 * What is known of the lists of one collection that were read. A list counts as read at once, and is marked as being on
 * the device (an interest `prefetch`), or answered to the screen that asked, only when its documents are seen there as
 * they were read: not those of an earlier read (RULES trap 14, PL4).
 */
import type { WithDeleted } from 'rxdb'
import { deepEqual } from 'rxdb/plugins/core'
import { isoOf } from '#schemas/instant.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { KindView, SyncDatabase } from '#sync/storage/database.ts'
import { LONGEST_LIFE_MS } from '#sync/pull/engine/freshness.ts'
import {
  questionsIn,
  receiptRow,
  receiptsIn,
  removeReceipts,
  type Question,
  type Receipt,
} from '#sync/storage/interests.ts'
import { answering } from '#sync/pull/engine/open-fetch-requests.ts'
import type { ListMark } from './record-lists.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { RecordList } from '#sync/resources/pull-resource.ts'
import type { PullClock } from '#sync/lib/trusted-clock.ts'

/** While reads go on: one write for many lists, so often or so many at a time. */
const CONFIRM_EVERY_MS = 1_000
const CONFIRMED_AT_ONCE = 25

/** Few enough that writing them is not felt. */
const ROWS_AT_ONCE = 200

interface Parts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: Pick<KindView<R>, 'findByIds'>
  clock: Pick<PullClock, 'now' | 'borneOut'>
  /** Whether the marks outlive the app: not where the list belongs to the user's company. */
  isKept: boolean
}

/** A list that was read, until its documents are on the device. */
interface Given<R> {
  mark: ListMark
  written: WithDeleted<R>[]
  asked: RecordList['asked']
}

export function createListMarks<R extends LocalRecord>(parts: Parts<R>) {
  const { db, name, isKept } = parts
  const marks = new Map<string, ListMark>()
  const given = new Map<string, Given<R>>()
  let loaded = false
  let confirmedAt = -Infinity

  return {
    get: (owner: string) => marks.get(owner),
    set: (owner: string, mark: ListMark) => void marks.set(owner, mark),
    delete: (owner: string) => void marks.delete(owner),

    /** What was read in earlier runs of the app; what is older than anything may become is forgotten. */
    async load() {
      if (loaded || !isKept) return
      const kept = await keptMarks(parts)
      for (const [owner, mark] of kept.marks) marks.set(owner, mark)
      await kept.purge()
      loaded = true
    },

    /** @param docs that are now to be written */
    give({ owner, asked }: RecordList, mark: ListMark, docs: readonly WithDeleted<R>[]) {
      marks.set(owner, mark)
      const written = docs.filter((doc) => !doc._deleted)
      // one that was given before and is not there yet answers with this one
      given.set(owner, { mark, written, asked: asked ?? given.get(owner)?.asked })
    },

    /** Lists whose documents have left the device: should they be wanted again, they were never read. */
    async forget(owners: ReadonlySet<string>) {
      for (const owner of owners) {
        marks.delete(owner)
        given.delete(owner)
      }
      if (isKept) await removeReceipts(db, name, [...owners])
    },

    /** Lists whose documents RxDB let fall count as never read; null: all that have not arrived, as on a full device (ST4). */
    missed(keys: ReadonlySet<string> | null) {
      for (const [owner, { written }] of given)
        if (!keys || written.some(({ key }) => keys.has(key))) {
          given.delete(owner)
          marks.delete(owner)
        }
    },

    /**
     * Marks the lists whose documents have arrived on the device: now they can be used offline (PL4).
     * @param isBusy it will be asked again soon: what no screen asked for may wait for others
     */
    async confirm(isBusy: boolean) {
      if (isBusy && !isWorthAWrite(given, performance.now() - confirmedAt)) return
      confirmedAt = performance.now()
      for (const [owner, one] of await settled(parts, given))
        // not before: what a full device did not write is written at the next look
        if (given.get(owner) === one) given.delete(owner)
    },
  }
}

const isWorthAWrite = <R>(given: ReadonlyMap<string, Given<R>>, sinceMs: number): boolean =>
  given.size >= CONFIRMED_AT_ONCE ||
  sinceMs >= CONFIRM_EVERY_MS ||
  [...given.values()].some(({ asked }) => asked !== undefined)

type Arrived<R> = readonly [owner: string, one: Given<R>]

/** Writes the receipts of those that arrived, and answers who asked. @returns them */
async function settled<R extends LocalRecord>(
  { db, name, collection, clock, isKept }: Parts<R>,
  given: ReadonlyMap<string, Given<R>>,
): Promise<Arrived<R>[]> {
  const arrived = await arrivedOf(given, collection)
  if (arrived.length === 0) return []
  if (isKept) await keepReceipts(db, name, arrived)
  const answer = answering(db, clock)
  for (const [, { asked }] of arrived) if (asked) await answer({ asked, state: 'answered', total: 0 })
  return arrived
}

/** The lists whose documents are on the device as they were read. */
async function arrivedOf<R extends LocalRecord>(
  given: ReadonlyMap<string, Given<R>>,
  collection: Pick<KindView<R>, 'findByIds'>,
): Promise<Arrived<R>[]> {
  const lists = [...given]
  const keys = lists.flatMap(([, { written }]) => written.map(({ key }) => key))
  const found = keys.length > 0 ? await collection.findByIds(keys).exec() : new Map<string, never>()
  const isThere = (doc: WithDeleted<R>) => hasArrived(doc, found.get(doc.key)?.toJSON() as R | undefined)
  return lists.filter(([, { written }]) => written.every(isThere))
}

/** The device has what was read, or what was read of the record since. */
const hasArrived = <R extends LocalRecord>(read: R, local: R | undefined): boolean =>
  local !== undefined &&
  (read.server
    ? (local.server?.stamp ?? '') >= read.server.stamp
    : deepEqual({ ...read, _deleted: false }, { ...local, _deleted: false }))

async function keepReceipts<R>(
  db: SyncDatabase,
  name: string,
  arrived: readonly Arrived<R>[],
): Promise<void> {
  const rows = arrived.map(([owner, { mark }]) => receiptRow(name, { owner, ...mark }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await db.interests.bulkUpsert(rows.slice(at, at + ROWS_AT_ONCE))
}

/** What was read in earlier runs, and what takes away the rest. */
async function keptMarks({ db, name, clock }: Pick<Parts<never>, 'db' | 'name' | 'clock'>) {
  const known = await receiptsIn(db, name)
  const old = isoOf(clock.borneOut() - LONGEST_LIFE_MS)
  const owners = known.filter(({ at }) => at <= old).map(({ owner }) => owner)
  return {
    marks: marksOf(known.filter(({ at }) => at > old)),
    async purge() {
      await removeReceipts(db, name, owners)
      // stamped by the clock that people set: where that is behind, what was asked just now is not old (EX3)
      const now = Math.min(clock.now(), clock.borneOut())
      await removeLongAsked(db, name, isoOf(now - EXPIRY_MS))
    },
  }
}

/** Thousands of marks, of which many say the same: one string in memory for each text. */
function marksOf(receipts: readonly Receipt[]): [owner: string, mark: ListMark][] {
  const known = new Map<string, string>()
  const same = (text: string) => known.get(text) ?? (known.set(text, text), text)
  return receipts.map(({ owner, because, stamp, at }) => [
    owner,
    { because: same(because), stamp: same(stamp), at: same(at) },
  ])
}

/** Questions for a list that nobody waits for any more. */
async function removeLongAsked(db: SyncDatabase, name: string, before: string): Promise<void> {
  const isOver = ({ kind, resource, askedAt }: Question) =>
    kind === 'list' && resource === name && askedAt <= before
  await db.interests.bulkRemove((await questionsIn(db)).filter(isOver).map(({ key }) => key))
}
