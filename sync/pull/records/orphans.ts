/**
 * Records of requests that have left the device (RULES EX1). Most looks find nothing: one is worth its while at a new
 * round, after a request went, and now and then; and of thousands of requests only what names their lists is held.
 */
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { isExpiredRecord } from '#sync/retention/expiry.ts'
import { questionsIn, receiptsIn, type Question } from '#sync/storage/interests.ts'
import { localRecords } from './local-records.ts'
import type { RecordPullParts } from './record-pull.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'

const LOOK_EVERY_MS = 10 * 60_000

/** Requests of each database that went: in a function of its own, what listens for ever holds nothing else. */
const departures = new WeakMap<SyncDatabase, { count: number }>()
function departuresOf(db: SyncDatabase): { count: number } {
  const known = departures.get(db)
  if (known) return known
  const gone = { count: 0 }
  departures.set(db, gone)
  db.requests.$.subscribe(({ operation }) => {
    if (operation === 'DELETE') gone.count += 1
  })
  return gone
}

type Parts<R extends LocalRecord> = Pick<
  RecordPullParts<R>,
  'db' | 'name' | 'collection' | 'resource' | 'clock'
>

export function createOrphans<R extends LocalRecord>(parts: Parts<R>) {
  const { db, resource, clock } = parts
  const { owners, ownerOf } = resource
  const gone = departuresOf(db)
  let looked: { at: number; gone: number } | null = null

  return {
    /** At the next look, too. */
    again: () => (looked = null),
    /** Those that are over; none where a look would find nothing new. */
    async find(): Promise<R[]> {
      const now = { at: performance.now(), gone: gone.count }
      if (!owners || (looked?.gone === now.gone && now.at - looked.at < LOOK_EVERY_MS)) return []
      looked = now
      const all = await localRecords(parts, {})
      const expired = all.filter((record) => isExpiredRecord(record, clock))
      const listed = await listsOfToday(parts, expired)
      const old = expired.filter((record) => isStamped(record) || !listed.has(ownerOf(record)))
      if (old.length === 0) return []
      const needed = await neededOwners(db, owners)
      const questions = await questionsIn(db)
      // answered, they go a day later (`purge.ts`); asked, what was read may be on the device before the answer is
      const isHeld = ({ state }: Question) => state === 'answered' || state === 'asked'
      const asked = new Set(questions.filter(isHeld).map(({ recordKey }) => recordKey))
      const isAsked = (record: R) =>
        [record.serverId, record.key, ownerOf(record)].some((name) => name && asked.has(name))
      return old.filter((record) => !needed.has(ownerOf(record)) && !isAsked(record))
    },
  }
}

async function neededOwners(
  db: SyncDatabase,
  owners: (request: RequestRecord) => string[],
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>()
  for await (const ofDay of requestsByDay(db))
    for (const request of ofDay) for (const owner of owners(request)) needed.add(owner)
  return needed
}

/** What is only ever read carries none. */
const isStamped = ({ changes }: LocalRecord): boolean => changes !== undefined

/** What carries no stamp was confirmed when its list was. @returns owners of lists that are not over */
async function listsOfToday<R extends LocalRecord>(
  { db, name, clock }: Parts<R>,
  records: readonly R[],
): Promise<ReadonlySet<string>> {
  if (records.every(isStamped)) return new Set()
  const receipts = await receiptsIn(db, name)
  const isOver = (stamp: string) => isExpiredRecord({ key: '', server: { stamp, detailed: true } }, clock)
  return new Set(receipts.flatMap(({ owner, stamp }) => (isOver(stamp) ? [] : [owner])))
}
