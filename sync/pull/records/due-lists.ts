/** Finds the lists of one collection that are to be read now, most urgent first (RULES PL4, PL5, PL8, PL10). */
import { namesNone } from '#schemas/collections/prefetch.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isoOf } from '#schemas/instant.ts'
import { yieldToScreen } from '#sync/lib/slices.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { PullEngine } from '#sync/pull/engine/engine.ts'
import { daysAt, type FreshnessClock } from '#sync/pull/engine/freshness.ts'
import { requestsFor } from '#sync/pull/requests/requests-for.ts'
import type { RecordList } from '#sync/resources/resource.ts'
import { fewestTriesFirst } from '#sync/scheduler/read-backoff.ts'
import {
  fetchRequestsIn,
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchRequest,
} from '#sync/storage/fetch-requests.ts'
import type { ListMarks } from './list-marks.ts'
import { localRecords, type RecordPullParts } from './local-records.ts'
import {
  basisOf,
  listRequestedAt,
  listsOf,
  needsNoCall,
  taskOf,
  unreadOwners,
  urgencyOf,
  wantedRequests,
  withRequested,
  type DueList,
  type ListMark,
  type Urgency,
} from './record-lists.ts'

export interface DueParts<R extends LocalRecord> {
  parts: RecordPullParts<R>
  engine: Pick<PullEngine<unknown>, 'mayStart' | 'triesOf' | 'isStillTried' | 'isBusy'>
  marks: Pick<ListMarks<R>, 'get' | 'set' | 'noteRead' | 'confirm' | 'read'>
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
}

export async function dueLists<R extends LocalRecord>(state: DueParts<R>): Promise<DueList[]> {
  const { parts, engine, marks, refreshedAt } = state
  const { db, clock, resource, pacer } = parts
  const details = (await fetchRequestsIn(db)).filter(({ kind }) => kind === 'detail')
  const now = clock.now()
  const freshness = { refreshedAt, now, days: daysAt(now), pauseStartedAt: pacer.pauseStartedAt() }
  const round = { read: marks.read, ...freshness, lifetime: resource.lifetime, details }
  const mark = { at: isoOf(now), stamp: clock.stamp() }
  const local = await confirmedRecords(parts)
  const ownersWithRecords = new Set(local.map(resource.ownerOf))
  const sent = unreadOwners(local, resource.ownerOf)
  const due: Record<Urgency, DueList[]> = { sent: [], screen: [], due: [], paced: [] }
  const pause = yieldToScreen()
  for (const list of await allLists(state, details, freshness)) {
    await pause()
    const basis = basisOf(list, resource.basis)
    const urgency = urgencyOf(list, marks.get(list.owner), basis, round, sent.get(list.owner) ?? '')
    if (!urgency || (parts.isUrgentOnly() && (urgency === 'due' || urgency === 'paced'))) continue
    const requestedAt = listRequestedAt(list, details)
    const isOnScreen = isForCurrentScreen(requestedAt, [...details, list.fetchRequest ?? []].flat())
    const isLocal = needsNoCall(resource.source, list)
    const task = taskOf({ ...list, requestedAt }, urgency, { isOnScreen, isLocal })
    if (!engine.mayStart(task.name)) continue
    const hasRecords = urgency === 'sent' || ownersWithRecords.has(list.owner)
    const entry = { ...list, basis, requestedAt, task }
    if (hasRecords || !isLocal) due[urgency].push(entry)
    else markEmpty(state, entry, { ...mark, basis })
  }
  await marks.confirm(engine.isBusy())
  const ordered = (lists: DueList[]) => fewestTriesFirst(lists, ({ task }) => engine.triesOf(task.name))
  return [due.sent, due.screen, due.due, due.paced].flatMap(ordered)
}

/** The local records that the CRM has; [] for collections that are not pushed. */
async function confirmedRecords<R extends LocalRecord>(parts: RecordPullParts<R>): Promise<R[]> {
  if (!isPushCollection(parts.name)) return []
  const selector = parts.resource.source.kind === 'named' ? {} : { serverId: { $gt: '' } }
  return localRecords(parts, selector, ({ server }) => server !== undefined)
}

/** Marks a list as read and empty. A list that all its requests say is empty needs no receipt (`prefetchKeys`). */
function markEmpty<R extends LocalRecord>(
  { parts, marks }: DueParts<R>,
  list: DueList,
  mark: ListMark,
): void {
  const isKnownEmpty = list.requests.length > 0 && list.requests.every((one) => namesNone(parts.name, one))
  if (isKnownEmpty && !list.fetchRequest) marks.set(list, mark)
  else marks.noteRead(list, mark, [])
}

async function allLists<R extends LocalRecord>(
  { parts, engine }: DueParts<R>,
  details: readonly FetchRequest[],
  { now, days }: Pick<FreshnessClock, 'now' | 'days'>,
): Promise<RecordList[]> {
  const { db, name, resource, supplierId } = parts
  const { owners } = resource
  if (!owners) return supplierId ? [{ owner: supplierId, requests: [] }] : []
  const isForList = (one: FetchRequest) => one.kind === 'list' && one.resource === name
  const pending = await pendingFetchRequests(db, engine, isForList)
  const requests = await requestsFor(db, now, [...details, ...pending])
  const needed = wantedRequests(requests, details, { now, days })
  return withRequested(listsOf(needed, owners, days), pending, requests)
}
