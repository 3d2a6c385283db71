/**
 * The pull of records that belong to requests (RULES PL3–PL5). Each collection has its own, configured by a
 * `PullResource`. The engine runs the reads (`engine.ts`):
 *
 *     requests on the device ─→ lists their screens need ─→ those due, nearest day first ─→ rows
 *     rows ─→ merge ─→ RxDB writes the documents ─→ a receipt, which proves that the list was read
 *
 * RxDB calls the handler again before it has written the documents of the last call (trap 14). So a list counts as
 * read in its round at once, and gets its receipt only when its documents have arrived.
 */
import type { WithDeleted } from 'rxdb'
import { filter, takeUntil } from 'rxjs'
import { isoOf } from '#schemas/instant.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import { createPullEngine, type PullEngine } from '#sync/pull/engine/engine.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { dependentsOf, eachOnce, isExpiredRecord, type EachOnce } from '#sync/retention/expiry.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import {
  pendingFetchRequests,
  type FetchRequest,
  fetchRequestName,
  fetchRequestsIn,
  receiptsIn,
} from '#sync/storage/fetch-requests.ts'
import { dueLists } from './due-lists.ts'
import { createListMarks, type ListMarks } from './list-marks.ts'
import { localRecords, removalsOf, type RecordPullParts } from './local-records.ts'
import type { DueList } from './record-lists.ts'
import { listWork, oneWork } from './record-reads.ts'

/** Maximum number of planned lists: without a signal, thousands would only wait in memory with their requests. */
const PLAN_MAX = 200

interface State<R extends LocalRecord> {
  parts: RecordPullParts<R>
  engine: PullEngine<WithDeleted<R>>
  marks: ListMarks<R>
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  plan: Plan
  returnedRemovals: EachOnce
  /** True from the user's refresh until the next plan, which reads lists again whose documents have not arrived. */
  readsPendingAgain: boolean
  orphans: ReturnType<typeof createOrphans<R>>
}

interface Plan {
  /** Lists still to be read, most urgent first; null if a new plan must be made. */
  lists: DueList[] | null
  /** True if there may be due lists that the plan does not contain. */
  isOld: boolean
  /** True if more lists are due than the plan contains. */
  isCut: boolean
  /** Names of the fetch requests that the plan covers, separated by commas. */
  fetchRequests: string
}

export function createRecordPull<R extends LocalRecord>(parts: RecordPullParts<R>) {
  const { clock, resource } = parts
  const engine = createPullEngine<WithDeleted<R>>(parts, {
    plan: (isOpen) => plan(state, isOpen),
    expired: () => expired(state),
  })
  const state: State<R> = {
    parts,
    engine,
    marks: createListMarks({ ...parts, isPersistent: resource.owners !== undefined }),
    refreshedAt: '',
    plan: { lists: null, isOld: false, isCut: false, fetchRequests: '' },
    returnedRemovals: eachOnce(),
    orphans: createOrphans(parts),
    readsPendingAgain: false,
  }
  const gone$ = parts.db.requests.$.pipe(filter(({ operation }) => operation === 'DELETE'))
  gone$.pipe(takeUntil(parts.stop$)).subscribe(() => state.orphans.again())
  const replan = () => {
    state.plan.isOld = true
    engine.recheck()
  }
  return {
    handler: engine.handler,
    recheck: engine.recheck,
    /** Plans the lists again. */
    replan,
    /** Starts a new round. @param isRequested true if the user requested it: today and tomorrow are read again */
    refetch(isRequested: boolean) {
      if (isRequested) {
        state.refreshedAt = isoOf(clock.now())
        state.readsPendingAgain = true
        engine.clear()
      }
      replan()
      state.marks.beginRound()
      state.returnedRemovals.again()
      state.orphans.again()
    },
  }
}

/** Plans the reads: screens' fetch requests, then due lists. @returns [] if the rest must be planned at once, else null */
async function plan<R extends LocalRecord>(state: State<R>, isOpen: boolean): Promise<[] | null> {
  const { parts, engine, marks } = state
  const { name, db } = parts
  await marks.load()
  await marks.confirm(engine.isBusy() && !state.readsPendingAgain)
  if (state.readsPendingAgain) marks.forgetPending()
  state.readsPendingAgain = false
  const isForThis = ({ kind, resource }: FetchRequest) =>
    (kind === 'list' && resource === name) || (kind === 'detail' && (!resource || resource === name))
  const pending = await pendingFetchRequests(db, engine, isForThis)
  for (const one of pending)
    if (one.kind === 'detail' && one.resource === name) engine.offer(oneWork(parts, one))
  const lists = await plannedLists(state, pending.map(fetchRequestName).join())
  const remaining = lists.filter((list) => !engine.offer(listWork(state, list)))
  state.plan.lists = remaining
  if (!isOpen || remaining.length > 0 || !state.plan.isCut) return null
  // The plan was cut at its maximum length. The next plan has the remaining lists.
  state.plan.lists = null
  return []
}

/** The due lists. A new plan reads all requests, so the old plan is used while no further read could begin. */
async function plannedLists<R extends LocalRecord>(
  state: State<R>,
  fetchRequests: string,
): Promise<DueList[]> {
  const { lists, isOld } = state.plan
  const hasNew = fetchRequests !== state.plan.fetchRequests
  if (lists && !hasNew && !(isOld && state.engine.free('background') > 0)) return lists
  state.plan.isOld = false
  state.plan.fetchRequests = fetchRequests
  const all = await dueLists(state)
  state.plan.isCut = all.length > PLAN_MAX
  return all.slice(0, PLAN_MAX)
}

/** Removals of records whose requests are no longer on the device, a day after they were last confirmed (RULES EX1). */
async function expired<R extends LocalRecord>(state: State<R>): Promise<WithDeleted<R>[]> {
  const { orphans, marks, returnedRemovals } = state
  const { db, name, resource } = state.parts
  const over = await orphans.find()
  if (over.length === 0) return []
  await marks.forget(new Set(over.map(resource.ownerOf)))
  return returnedRemovals.only(await removalsOf(db, name, over))
}

const SEARCH_EVERY_MS = 10 * 60_000

type OrphanParts<R extends LocalRecord> = Pick<
  RecordPullParts<R>,
  'db' | 'name' | 'collection' | 'resource' | 'clock'
>

/** Finds orphans: records whose requests have left the device (RULES EX1), every ten minutes, in a new round, and after a request left. */
export function createOrphans<R extends LocalRecord>(parts: OrphanParts<R>) {
  const { db, name, resource, clock } = parts
  const { owners, ownerOf } = resource
  let searchedAt = -Infinity

  return {
    /** Searches again at the next call. */
    again: () => void (searchedAt = -Infinity),
    /** The expired orphans that nothing depends on; [] if it is not time for a search. */
    async find(): Promise<R[]> {
      if (!owners || performance.now() - searchedAt < SEARCH_EVERY_MS) return []
      searchedAt = performance.now()
      const all = await localRecords(parts, {})
      const expired = all.filter((record) => isExpiredRecord(record, clock))
      const listed = await listsOfToday(parts, expired)
      const old = expired.filter((record) => isStamped(record) || !listed.has(ownerOf(record)))
      if (old.length === 0) return []
      const needed = await neededOwners(db, owners)
      // A record that a screen has requested stays until the fetch request is deleted (`purge.ts`).
      const isRecent = ({ state }: FetchRequest) => state === 'answered' || state === 'asked'
      const recent = (await fetchRequestsIn(db)).filter(isRecent)
      const requestedKeys = new Set(recent.map(({ recordKey }) => recordKey))
      const isRequested = (record: R) =>
        [record.serverId, record.key, ownerOf(record)].some((key) => key && requestedKeys.has(key))
      const { onRecord } = await dependentsOf(db)
      return old.filter(
        (record) => !needed.has(ownerOf(record)) && !isRequested(record) && !onRecord(name, record),
      )
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

/** True for a record with its own stamp. Read-only records have no stamp. */
const isStamped = ({ changes }: LocalRecord): boolean => changes !== undefined

/** Returns the owners of lists that have not expired, because records without a stamp expire with their list. */
async function listsOfToday<R extends LocalRecord>(
  { db, name, clock }: OrphanParts<R>,
  records: readonly R[],
): Promise<ReadonlySet<string>> {
  if (records.every(isStamped)) return new Set()
  const receipts = await receiptsIn(db, name)
  const isOver = (stamp: string) => isExpiredRecord({ key: '', server: { stamp, detailed: true } }, clock)
  return new Set(receipts.flatMap(({ owner, stamp }) => (isOver(stamp) ? [] : [owner])))
}
