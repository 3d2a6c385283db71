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
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import { PullEngine } from '#sync/pull/engine/engine.ts'
import { requestsByDay } from '#sync/pull/requests/requests-for.ts'
import { dependentsOf, eachOnce, isExpiredRecord, withoutNeeded } from '#sync/retention/expiry.ts'
import {
  fetchRequestName,
  fetchRequestsIn,
  pendingFetchRequests,
  receiptsIn,
  type FetchRequest,
} from '#sync/storage/database.ts'
import { ListMarks, localRecords, removalsOf, type RecordPullParts } from './local-records.ts'
import { dueLists, type DueList } from './record-lists.ts'
import { oneWork, readList } from './record-reads.ts'

const ORPHANS_EVERY_MS = 10 * 60_000

export class RecordPull<R extends LocalRecord> extends PullEngine<WithDeleted<R>, RecordPullParts<R>> {
  private readonly marks: ListMarks<R>
  private readonly removals = eachOnce()
  /** When the user last requested everything, ISO 8601; '' if never. */
  private refreshedAt = ''
  /** True from the user's refresh until the next plan, which reads lists again whose documents have not arrived. */
  private readsPendingAgain = false
  /** The due lists still to be read, most urgent first, and the names of the fetch requests that they cover. */
  private lists: readonly DueList[] = []
  private covered = ''
  /** True if there may be due lists that are not in `lists`. */
  private isOld = true
  /** When orphans were last searched for. */
  private searchedAt = -Infinity

  constructor(parts: RecordPullParts<R>) {
    super(parts)
    const { db, resource, stop$ } = parts
    this.marks = new ListMarks({ ...parts, isPersistent: resource.owners !== undefined })
    const gone$ = db.requests.$.pipe(filter(({ operation }) => operation === 'DELETE'))
    gone$.pipe(takeUntil(stop$)).subscribe(() => (this.searchedAt = -Infinity))
  }

  replan = (): void => {
    this.isOld = true
    this.recheck()
  }

  /** The due lists may have changed by the end of a back-off. */
  protected override wake(): void {
    this.replan()
    super.wake()
  }

  /** Starts a new round. @param isRequested true if the user requested it: today and tomorrow are read again */
  refetch(isRequested: boolean): void {
    if (isRequested) {
      this.refreshedAt = isoOf(this.parts.clock.now())
      this.readsPendingAgain = true
      this.clear()
    }
    this.replan()
    this.marks.read.clear()
    this.removals.again()
    this.searchedAt = -Infinity
  }

  /** Plans the reads: screens' fetch requests, then due lists. */
  protected async plan(): Promise<null> {
    const { parts, marks } = this
    const { name, db } = parts
    await marks.load()
    await marks.confirm(this.isBusy() && !this.readsPendingAgain)
    if (this.readsPendingAgain) marks.forgetPending()
    this.readsPendingAgain = false
    const isForThis = ({ kind, resource }: FetchRequest) =>
      (kind === 'list' && resource === name) || (kind === 'detail' && (!resource || resource === name))
    const pending = await pendingFetchRequests(db, this, isForThis)
    for (const one of pending)
      if (one.kind === 'detail' && one.resource === name) this.offer(oneWork(parts, one))
    const names = pending.map(fetchRequestName).join()
    // The search for due lists reads all requests, so it waits while no further read could begin.
    if (names !== this.covered || (this.isOld && this.free('background') > 0)) {
      this.isOld = false
      this.covered = names
      this.lists = await dueLists(parts, this, marks, this.refreshedAt)
    }
    // After a failure the due lists are sorted again, so that another list comes first.
    const failed = async () => (this.isOld = true)
    this.lists = this.lists.filter(
      (list) =>
        !this.offer({ ...list.task, read: (options) => readList(parts, marks, list, options), failed }),
    )
    return null
  }

  /** Removals of records whose requests are no longer on the device, a day after they were last confirmed (RULES EX1). */
  protected override stillDue = (docs: readonly WithDeleted<R>[]) =>
    withoutNeeded(this.parts.db, docs, (doc, { onRecord }) => onRecord(this.parts.name, doc))

  protected async expired(): Promise<WithDeleted<R>[]> {
    const { db, name, resource } = this.parts
    if (performance.now() - this.searchedAt < ORPHANS_EVERY_MS) return []
    this.searchedAt = performance.now()
    const over = await orphansIn(this.parts)
    if (over.length === 0) return []
    await this.marks.forget(new Set(over.map(resource.ownerOf)))
    return this.removals.only(await removalsOf(db, name, over))
  }
}

/** The expired records whose requests have left the device and that nothing depends on (RULES EX1). */
export async function orphansIn<R extends LocalRecord>(
  parts: Pick<RecordPullParts<R>, 'db' | 'name' | 'collection' | 'resource' | 'clock'>,
): Promise<R[]> {
  const { db, name, resource, clock } = parts
  const { owners, ownerOf } = resource
  if (!owners) return []
  const all = await localRecords(parts, {})
  const expired = all.filter((record) => isExpiredRecord(record, clock))
  // Read-only records, which have no `changes`, have no stamp either, so they expire with their list.
  const isStamped = ({ changes }: LocalRecord) => changes !== undefined
  const isRecent = (stamp: string) => !isExpiredRecord({ key: '', server: { stamp, detailed: true } }, clock)
  const receipts = expired.every(isStamped) ? [] : await receiptsIn(db, name)
  const listed = new Set(receipts.flatMap(({ owner, stamp }) => (isRecent(stamp) ? owner : [])))
  const old = expired.filter((record) => isStamped(record) || !listed.has(ownerOf(record)))
  if (old.length === 0) return []
  const needed = new Set<string>()
  for await (const ofDay of requestsByDay(db)) for (const owner of ofDay.flatMap(owners)) needed.add(owner)
  // A record that a screen has requested stays until the fetch request is deleted (`expiry.ts`).
  const requests = (await fetchRequestsIn(db)).filter(
    ({ state }) => state === 'answered' || state === 'asked',
  )
  const requestedKeys = new Set(requests.map(({ recordKey }) => recordKey))
  const isRequested = (record: R) =>
    [record.serverId, record.key, ownerOf(record)].some((key) => key && requestedKeys.has(key))
  const { onRecord } = await dependentsOf(db)
  return old.filter(
    (record) => !needed.has(ownerOf(record)) && !isRequested(record) && !onRecord(name, record),
  )
}
