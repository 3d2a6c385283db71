/**
 * Finds records whose requests have left the device (RULES EX1). Most searches find nothing, so it only
 * searches in a new round, after a request was removed, and now and then. Of the thousands of requests it
 * only remembers what names their lists.
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

/**
 * Number of removed requests per database. In a separate function, so that the permanent subscription does
 * not retain other objects.
 */
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
    /** Searches again at the next call. */
    again: () => (looked = null),
    /** The expired orphans; none if a search would find nothing new. */
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
      // Answered questions are deleted a day later (`purge.ts`). For open questions, the record may arrive
      // before the answer.
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

/** True for records with their own stamp; read-only records have none. */
const isStamped = ({ changes }: LocalRecord): boolean => changes !== undefined

/**
 * Records without a stamp were confirmed together with their list. Returns the owners of lists that have not
 * expired.
 */
async function listsOfToday<R extends LocalRecord>(
  { db, name, clock }: Parts<R>,
  records: readonly R[],
): Promise<ReadonlySet<string>> {
  if (records.every(isStamped)) return new Set()
  const receipts = await receiptsIn(db, name)
  const isOver = (stamp: string) => isExpiredRecord({ key: '', server: { stamp, detailed: true } }, clock)
  return new Set(receipts.flatMap(({ owner, stamp }) => (isOver(stamp) ? [] : [owner])))
}
