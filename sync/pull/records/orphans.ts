/**
 * Finds records whose requests have left the device (RULES EX1). Most searches find nothing, so it only
 * searches in a new round, after a request was removed, and every ten minutes. During a search it only keeps
 * the list owners of the thousands of requests in memory.
 */
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import { isExpiredRecord } from '#sync/retention/expiry.ts'
import { questionsIn, receiptsIn, type Question } from '#sync/storage/interests.ts'
import { localRecords } from './local-records.ts'
import type { RecordPullParts } from './record-pull.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'

const SEARCH_EVERY_MS = 10 * 60_000

/**
 * Number of removed requests per database. In a separate function, so that the permanent subscription does
 * not retain other objects.
 */
const removalCounts = new WeakMap<SyncDatabase, { count: number }>()
function removalCountOf(db: SyncDatabase): { count: number } {
  const known = removalCounts.get(db)
  if (known) return known
  const gone = { count: 0 }
  removalCounts.set(db, gone)
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
  const gone = removalCountOf(db)
  let lastSearch: { at: number; gone: number } | null = null

  return {
    /** Searches again at the next call. */
    again: () => (lastSearch = null),
    /** The expired orphans; none if a search would find nothing new. */
    async find(): Promise<R[]> {
      const now = { at: performance.now(), gone: gone.count }
      if (!owners || (lastSearch?.gone === now.gone && now.at - lastSearch.at < SEARCH_EVERY_MS)) return []
      lastSearch = now
      const all = await localRecords(parts, {})
      const expired = all.filter((record) => isExpiredRecord(record, clock))
      const listed = await listsOfToday(parts, expired)
      const old = expired.filter((record) => isStamped(record) || !listed.has(ownerOf(record)))
      if (old.length === 0) return []
      const needed = await neededOwners(db, owners)
      const questions = await questionsIn(db)
      // Answered questions are deleted a day later (`purge.ts`). For open questions, the record may arrive
      // before the answer.
      const isRecent = ({ state }: Question) => state === 'answered' || state === 'asked'
      const requestedKeys = new Set(questions.filter(isRecent).map(({ recordKey }) => recordKey))
      const isRequested = (record: R) =>
        [record.serverId, record.key, ownerOf(record)].some((name) => name && requestedKeys.has(name))
      return old.filter((record) => !needed.has(ownerOf(record)) && !isRequested(record))
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
