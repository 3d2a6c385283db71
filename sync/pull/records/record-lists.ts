/**
 * Finds the lists of one collection that are to be read now, how urgently, and in which lane of the engine (RULES PL4, PL5,
 * PL8–PL10). A list has an owner: the request, visit, area or machine whose records it contains.
 */
import { namesNone } from '#schemas/collections/prefetch.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import type { Interest } from '#schemas/device/interest.ts'
import { isoOf } from '#schemas/instant.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { digest } from '#sync/wire/request.ts'
import { yieldToScreen } from '#sync/lib/slices.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { PullEngine } from '#sync/pull/engine/engine.ts'
import type { Work } from '#sync/pull/engine/work.ts'
import {
  ageUrgency,
  daysAt,
  isInWindow,
  pastOrEmpty,
  inReadingOrder,
  type FreshnessClock,
  type Lifetime,
} from '#sync/pull/engine/freshness.ts'
import { requestsFor } from '#sync/pull/requests/requests-for.ts'
import type { RecordList } from '#sync/resources/resource.ts'
import { fewestTriesFirst } from '#sync/scheduler/read-backoff.ts'
import {
  fetchRequestName,
  fetchRequestsIn,
  isForCurrentScreen,
  pendingFetchRequests,
  type FetchRequest,
} from '#sync/storage/database.ts'
import { localRecords, type ListMark, type ListMarks, type RecordPullParts } from './local-records.ts'

type Engine = Pick<PullEngine<unknown>, 'mayStart' | 'triesOf' | 'isStillTried' | 'isBusy'>

/** @param refreshedAt when the user last requested everything, ISO 8601; '' if never */
export async function dueLists<R extends LocalRecord>(
  parts: RecordPullParts<R>,
  engine: Engine,
  marks: ListMarks<R>,
  refreshedAt: string,
): Promise<DueList[]> {
  const { db, clock, name, resource, pacer } = parts
  const details = (await fetchRequestsIn(db)).filter(({ kind }) => kind === 'detail')
  const now = clock.now()
  const freshness = { now, days: daysAt(now), refreshedAt, pauseStartedAt: pacer.pauseStartedAt() }
  const round = { ...freshness, read: marks.read, lifetime: resource.lifetime, details }
  const mark = { at: isoOf(now), stamp: clock.stamp() }
  const selector = resource.source.kind === 'named' ? {} : { serverId: { $gt: '' } }
  const isConfirmed = ({ server }: R) => server !== undefined
  const local = isPushCollection(name) ? await localRecords(parts, selector, isConfirmed) : []
  const ownersWithRecords = new Set(local.map(resource.ownerOf))
  /** By owner: the newest stamp of sent records that were not read back. The CRM adds photo folders to such records. */
  const sent = new Map<string, string>()
  for (const record of local.filter(isUnread)) {
    const [owner, stamp] = [resource.ownerOf(record), record.server?.stamp ?? '']
    if (stamp > (sent.get(owner) ?? '')) sent.set(owner, stamp)
  }
  const due: Record<Urgency, DueList[]> = { sent: [], screen: [], due: [], paced: [] }
  const pause = yieldToScreen()
  for (const list of await allLists(parts, engine, round)) {
    const paused = pause()
    if (paused) await paused
    const { owner, requests, fetchRequest } = list
    const basis = basisOf(list, resource.basis)
    const urgency = urgencyOf(list, marks.get(owner), basis, round, sent.get(owner) ?? '')
    if (!urgency || (parts.isUrgentOnly() && (urgency === 'due' || urgency === 'paced'))) continue
    const requestedAt = listRequestedAt(list, details)
    const isOnScreen = isForCurrentScreen(requestedAt, [...details, fetchRequest ?? []].flat())
    // The row of the request names no record of the list, so the list is read without a call.
    const isLocal = resource.source.kind === 'named' && resource.source.ids(list).length === 0
    const isPaced = urgency === 'paced' && !isLocal
    const screenName = fetchRequest ? fetchRequestName(fetchRequest) : `${owner} ${requestedAt}`
    // A read for a screen, or of sent records, replaces the background read of its list, and has a back-off of its own.
    const task: DueList['task'] =
      urgency === 'sent'
        ? { name: `${owner} sent`, priority: 'window', fetchRequest, replaces: owner }
        : urgency === 'screen'
          ? { name: screenName, priority: isOnScreen ? 'screen' : 'window', fetchRequest, replaces: owner }
          : { name: owner, priority: isLocal ? 'local' : 'background', isPaced, fetchRequest }
    if (!engine.mayStart(task.name)) continue
    const entry = { ...list, basis, requestedAt, task }
    const isEmpty = isLocal && urgency !== 'sent' && !ownersWithRecords.has(owner)
    if (!isEmpty) due[urgency].push(entry)
    // A list needs no receipt if all its requests show that the list is empty (`prefetchKeys`).
    else if (!fetchRequest && requests.length > 0 && requests.every((one) => namesNone(name, one)))
      marks.set(entry, { ...mark, basis })
    else marks.noteRead(entry, { ...mark, basis }, [])
  }
  await marks.confirm(engine.isBusy())
  const ordered = (lists: DueList[]) => fewestTriesFirst(lists, ({ task }) => engine.triesOf(task.name))
  return [due.sent, due.screen, due.due, due.paced].flatMap(ordered)
}

/** When a screen last opened one of these requests, ISO 8601; '' if never. */
function lastOpenedAt(requests: readonly RequestRecord[], details: readonly Interest[]): string {
  const isOpened = ({ requestId, workingDate: day }: Interest) =>
    requests.some(({ id, workingDate }) => requestId === id && (!day || day === workingDate))
  return details.reduce((latest, one) => (one.askedAt > latest && isOpened(one) ? one.askedAt : latest), '')
}

/**
 * The lists to read, most urgent first: lists that screens need, then lists of today, of the coming days, and of the
 * past, for requests of the window and those that a screen has opened within a day.
 */
async function allLists<R extends LocalRecord>(
  { db, name, resource: { owners }, supplierId }: RecordPullParts<R>,
  engine: Engine,
  { now, days, details }: Round,
): Promise<RecordList[]> {
  if (!owners) return supplierId ? [{ owner: supplierId, requests: [] }] : []
  const isForList = (one: FetchRequest) => one.kind === 'list' && one.resource === name
  const pending = await pendingFetchRequests(db, engine, isForList)
  const requests = await requestsFor(db, now, [...details, ...pending])
  const since = isoOf(now - EXPIRY_MS)
  const onScreen = details.filter(({ askedAt }) => askedAt > since)
  const wanted = requests.filter((one) => isInWindow(one, days) || lastOpenedAt([one], onScreen) !== '')
  const lists = new Map<string, RecordList>()
  for (const request of inReadingOrder(wanted, days))
    for (const owner of owners(request)) {
      const list = lists.get(owner)
      if (list) list.requests.push(request)
      else lists.set(owner, { owner, requests: [request] })
    }
  const requested = pending.map((fetchRequest): RecordList => {
    const { recordKey: owner = '', requestId } = fetchRequest
    const known = lists.get(owner)?.requests
    return { owner, requests: known ?? requests.filter(({ id }) => id === requestId), fetchRequest }
  })
  for (const { owner } of requested) lists.delete(owner)
  return [...requested, ...lists.values()]
}

/** Digest of the request fields that a list depends on. If it changes, the list may have changed in the CRM. */
export const basisOf = (list: RecordList, fieldsOf: (request: RequestRecord) => string): string =>
  digest([...new Set(list.requests.map((request) => fieldsOf(request)))].toSorted())

/** When a screen opens a request, lists that were read within this time are not read again (decisions/pull). */
const OPENED_LIFE_MS = 5 * 60_000

/** `read`: owners of the lists that were read in this round. `details`: fetch requests of kind `detail`. */
interface Round extends FreshnessClock {
  read: ReadonlySet<string>
  lifetime: Exclude<Lifetime, 'details'>
  details: readonly Interest[]
}

/** When a screen last needed the list or opened a request that it belongs to, ISO 8601; '' if never. */
export const listRequestedAt = (
  { fetchRequest, requests }: RecordList,
  details: readonly Interest[],
): string => [fetchRequest?.askedAt ?? '', lastOpenedAt(requests, details)].toSorted()[1] ?? ''

/**
 * Since when a screen waits for a list, ISO 8601; '' if none does. It waits if it made a fetch request for the list, or
 * opened a request whose list was not read in the last minutes. A `seldom` list once read needs a fetch request.
 */
function waitingSince(
  list: RecordList,
  mark: ListMark | undefined,
  { lifetime, details, now }: Round,
): string {
  const requestedAt = list.fetchRequest?.askedAt ?? ''
  const opened = lifetime === 'seldom' && mark ? '' : lastOpenedAt(list.requests, details)
  const readAt = Date.parse(pastOrEmpty(mark?.at ?? '', now))
  const isFresh = opened <= requestedAt || Date.parse(opened) - readAt < OPENED_LIFE_MS
  return isFresh ? requestedAt : opened
}

type Urgency = 'sent' | 'screen' | 'due' | 'paced'

/**
 * How urgently a list is to be read; null if it is fresh or all its visits have expired. `due`: never read, of today, its
 * requests have changed (`basis`), or the user requested everything. `paced`: the read only confirms local data.
 * @param sent newest stamp of the records that this device has sent and not read back; '' if none
 */
export function urgencyOf(
  list: RecordList,
  mark: ListMark | undefined,
  basis: string,
  round: Round,
  sent: string,
): Urgency | null {
  if (sent > (mark?.stamp ?? '')) return 'sent'
  const waiting = waitingSince(list, mark, round)
  const isRequested = list.fetchRequest !== undefined || waiting > pastOrEmpty(mark?.at ?? '', round.now)
  if (!isRequested && hasExpired(list, round.now)) return null
  const isRead = round.read.has(list.owner)
  if (!mark || (mark.at === '' && !isRead)) return isRequested ? 'screen' : 'due'
  const isUnanswered = isRequested && mark.requestedAt !== listRequestedAt(list, round.details)
  if (mark.basis !== basis || isUnanswered) {
    // After an outage, only lists that a screen has requested since then are read at once.
    if (list.fetchRequest || (isRequested && waiting > round.pauseStartedAt)) return 'screen'
    return round.pauseStartedAt === '' ? 'due' : 'paced'
  }
  return isRead ? null : ageUrgency({ ...list, key: list.owner, at: mark.at }, round.lifetime, round)
}

/** True if all visits of a list have expired (RULES EX1), so that no screen shows its records. */
const hasExpired = ({ requests }: RecordList, now: number): boolean =>
  requests.length > 0 && requests.every(({ confirmedAt }) => Date.parse(confirmedAt) < now - EXPIRY_MS)

/** True if this device has sent the record and not read it back yet. */
export const isUnread = ({ server }: LocalRecord) => server !== undefined && !server.detailed

/** A list that is to be read now. `requestedAt`: when a screen last needed the list (`listRequestedAt`); '' if never. */
export interface DueList extends RecordList {
  basis: string
  requestedAt: string
  task: Omit<Work<never>, 'read'>
}
