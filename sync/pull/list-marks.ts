/**
 * What is known of the lists of one collection that were read. A list counts as read at once, and is marked as being on
 * the device (an interest `prefetch`), or answered to the screen that asked, only when its documents are seen there as
 * they were read: not those of an earlier read (RULES trap 14, PL4).
 */
import type { RxCollection, WithDeleted } from 'rxdb'
import type { Interest } from '#schemas/interest.ts'
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import { prefetchKey } from '#schemas/prefetch.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { LONGEST_LIFE_MS } from './freshness.ts'
import { interestsOf, marksOf } from './interests.ts'
import { hasArrived } from './dropped-writes.ts'
import { answerQuestion } from './questions.ts'
import type { ListMark } from './record-lists.ts'
import type { LocalRecord, RecordList } from '../resources/pull-resource.ts'
import type { PullClock } from '../runtime/time-keeper.ts'

/** Few enough that writing them is not felt. */
const ROWS_AT_ONCE = 200

interface Parts<R extends LocalRecord> {
  db: SyncDatabase
  name: string
  collection: Pick<RxCollection<R>, 'findByIds'>
  clock: Pick<PullClock, 'now' | 'borneOut'>
  /** Whether the marks outlive the app: not where the list belongs to the user's company. */
  isKept: boolean
}

/** A list that was read, until its documents are on the device. */
interface Given<R> {
  mark: ListMark
  written: WithDeleted<R>[]
  asked: Interest | undefined
}

export function createListMarks<R extends LocalRecord>(parts: Parts<R>) {
  const { db, name, collection, clock, isKept } = parts
  const marks = new Map<string, ListMark>()
  const given = new Map<string, Given<R>>()
  let loaded = false

  const answer = (asked: Interest | undefined, state: Interest['state'], total = 0) =>
    answerQuestion(db, asked, { state, total, answeredAt: isoOf(clock.now()) })

  return {
    get: (owner: string) => marks.get(owner),
    set: (owner: string, mark: ListMark) => void marks.set(owner, mark),
    delete: (owner: string) => void marks.delete(owner),
    answer,

    /** What was read in earlier runs of the app; what is older than anything may become is forgotten. */
    async load() {
      if (loaded || !isKept) return
      const prefix = prefetchKey(name, '')
      const known = await marksOf(db, name)
      const asked = (await interestsOf(db, 'list')).filter(({ resource }) => resource === name)
      const old = isoOf(clock.borneOut() - LONGEST_LIFE_MS)
      const longAsked = isoOf(clock.borneOut() - EXPIRY_HOURS * 3_600_000)
      const same = oneOfEach()
      for (const { key, because = '', stamp = '', answeredAt } of known)
        if (answeredAt > old)
          marks.set(key.slice(prefix.length), {
            because: same(because),
            stamp: same(stamp),
            at: same(answeredAt),
          })
      const gone = [
        ...known.filter(({ answeredAt }) => answeredAt <= old),
        ...asked.filter(({ askedAt }) => askedAt <= longAsked),
      ]
      await db.interests.bulkRemove(gone.map(({ key }) => key))
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
      if (isKept) await db.interests.bulkRemove([...owners].map((owner) => prefetchKey(name, owner)))
    },

    /** Lists whose documents RxDB let fall count as never read. */
    missed(keys: ReadonlySet<string>) {
      for (const [owner, { written }] of given)
        if (written.some(({ key }) => keys.has(key))) {
          given.delete(owner)
          marks.delete(owner)
        }
    },

    /** Marks the lists whose documents have arrived on the device: now they can be used offline (PL4). */
    async confirm() {
      const arrived: [string, Given<R>][] = []
      for (const [owner, one] of given) {
        const keys = one.written.map(({ key }) => key)
        const found = keys.length > 0 ? await collection.findByIds(keys).exec() : new Map<string, never>()
        const isThere = (doc: WithDeleted<R>) =>
          hasArrived(doc, found.get(doc.key)?.toJSON() as R | undefined)
        if (one.written.every(isThere)) arrived.push([owner, one])
      }
      if (arrived.length === 0) return
      const rows = arrived.flatMap(([owner, { mark }]) =>
        isKept ? [interestOf(prefetchKey(name, owner), mark)] : [],
      )
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
        await db.interests.bulkUpsert(rows.slice(at, at + ROWS_AT_ONCE))
      for (const [owner, one] of arrived) {
        await answer(one.asked, 'answered')
        // not before: what a full device did not write is written at the next look
        if (given.get(owner) === one) given.delete(owner)
      }
    },
  }
}

/** Of thousands of marks many say the same: one string in memory for each text. */
function oneOfEach(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => known.get(text) ?? (known.set(text, text), text)
}

const isoOf = (ms: number) => new Date(ms).toISOString()

const interestOf = (key: string, { because, stamp, at }: ListMark): Interest => ({
  key,
  kind: 'prefetch',
  because,
  stamp,
  askedAt: at,
  state: 'answered',
  answeredAt: at,
  total: 0,
})
