/**
 * Decides which lists of records are to be read now, how urgently, and in which lane of the engine (RULES PL4, PL5,
 * PL9). A list has an owner: the request, visit, area or machine whose records it contains. Pure.
 */
import type { Interest } from '#schemas/device/interest.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { digest } from '#sync/lib/digest.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { Work } from '#sync/pull/engine/work.ts'
import {
  ageUrgency,
  isInWindow,
  pastOrEmpty,
  readingOrder,
  type Days,
  type FreshnessClock,
  type Lifetime,
} from '#sync/pull/engine/freshness.ts'
import type { ListSource, RecordList } from '#sync/resources/resource.ts'
import { fetchRequestName } from '#sync/storage/fetch-requests.ts'

export interface ListMark {
  /** Digest of the request fields that the list depends on (`basisOf`). */
  basis: string
  /** Wall clock of the read, ISO 8601; '' if the read was refused. */
  at: string
  stamp: string
  /** When a screen had last needed the list before this read, ISO 8601; absent in the mark of an earlier run. */
  requestedAt?: string | undefined
}

/** The requests whose lists are read: those of the window, and those that a screen has opened within a day. */
export function wantedRequests(
  requests: readonly RequestRecord[],
  details: readonly Interest[],
  { now, days }: Pick<FreshnessClock, 'now' | 'days'>,
): RequestRecord[] {
  const since = new Date(now - EXPIRY_MS).toISOString()
  const onScreen = details.filter(({ askedAt }) => askedAt > since)
  return requests.filter((one) => isInWindow(one, days) || lastOpenedAt([one], onScreen) !== '')
}

/** When a screen last opened one of these requests, ISO 8601; '' if never. */
function lastOpenedAt(requests: readonly RequestRecord[], details: readonly Interest[]): string {
  const isOpened = ({ requestId, workingDate: day }: Interest) =>
    requests.some(({ id, workingDate }) => requestId === id && (!day || day === workingDate))
  return details.reduce((latest, one) => (one.askedAt > latest && isOpened(one) ? one.askedAt : latest), '')
}

/** The lists of these requests, most urgent first: today's, then by day, the past last. */
export function listsOf(
  requests: readonly RequestRecord[],
  owners: (request: RequestRecord) => string[],
  days: Days,
): RecordList[] {
  const order = (request: RequestRecord) => readingOrder(request, days)
  const lists = new Map<string, RecordList>()
  for (const request of requests.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)))
    for (const owner of owners(request)) {
      const list = lists.get(owner)
      if (list) list.requests.push(request)
      else lists.set(owner, { owner, requests: [request] })
    }
  return [...lists.values()]
}

/** Puts the lists first that screens need. @param fetchRequests unanswered fetch requests of kind `list` */
export function withRequested(
  lists: readonly RecordList[],
  fetchRequests: readonly Interest[],
  requests: readonly RequestRecord[],
): RecordList[] {
  const requested = fetchRequests.map((fetchRequest) => {
    const { recordKey: owner = '', requestId } = fetchRequest
    const known = lists.find((list) => list.owner === owner)
    return { owner, requests: known?.requests ?? requests.filter(({ id }) => id === requestId), fetchRequest }
  })
  return [...requested, ...lists.filter(({ owner }) => !requested.some((list) => list.owner === owner))]
}

/** Digest of the request fields that a list depends on. If it changes, the list may have changed in the CRM. */
export const basisOf = (list: RecordList, fieldsOf: (request: RequestRecord) => string): string =>
  digest([...new Set(list.requests.map((request) => fieldsOf(request)))].toSorted())

/** When a screen opens a request, lists that were read within this time are not read again (decisions/pull). */
const OPENED_LIFE_MS = 5 * 60_000

interface Round extends FreshnessClock {
  /** Owners of the lists that were read in this round. */
  read: ReadonlySet<string>
  lifetime: Exclude<Lifetime, 'details'>
  /** Fetch requests of kind `detail`. */
  details: readonly Interest[]
}

/** When a screen last needed the list or opened a request that it belongs to, ISO 8601; '' if never. */
export const listRequestedAt = (list: RecordList, details: readonly Interest[]): string => {
  const [requestedAt, openedAt] = [list.fetchRequest?.askedAt ?? '', lastOpenedAt(list.requests, details)]
  return openedAt > requestedAt ? openedAt : requestedAt
}

/**
 * Since when a screen waits for a list, ISO 8601; '' if no screen waits: it made a fetch request for the list, or opened a
 * request whose list was not read in the last minutes. Only their own screen waits for past reports.
 */
function waitingSince(
  list: RecordList,
  mark: ListMark | undefined,
  { lifetime, details, now }: Round,
): string {
  const requestedAt = list.fetchRequest?.askedAt ?? ''
  const opened = lifetime === 'seldom' && mark ? '' : lastOpenedAt(list.requests, details)
  if (opened <= requestedAt) return requestedAt
  const readAt = pastOrEmpty(mark?.at ?? '', now)
  const isFresh = readAt !== '' && Date.parse(opened) - Date.parse(readAt) < OPENED_LIFE_MS
  return isFresh ? requestedAt : opened
}

export type Urgency = 'sent' | 'screen' | 'due' | 'paced'

/**
 * How urgently a list is to be read; null if it is fresh, or if its visits have expired. `due`: the list was never
 * read, its requests have changed, it is of today, or the user requested everything. `paced`: the read only confirms
 * local data, at the rate of PL10.
 * @param basis the current basis of the list
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
    // After an outage, only lists that a screen has requested since then are read at once. The others are paced, so
    // that the CRM is not flooded.
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

/**
 * The owners of records that this device has sent and not read back, with the newest stamp of each owner. Photos wait for
 * fields that the CRM has added to these records.
 */
export function unreadOwners<R extends LocalRecord>(
  sent: readonly R[],
  ownerOf: (record: R) => string,
): Map<string, string> {
  const stamps = new Map<string, string>()
  for (const record of sent.filter(isUnread)) {
    const owner = ownerOf(record)
    const stamp = record.server?.stamp ?? ''
    if (stamp > (stamps.get(owner) ?? '')) stamps.set(owner, stamp)
  }
  return stamps
}

/** A list that is to be read now. */
export interface DueList extends RecordList {
  basis: string
  /** When a screen last needed the list (`listRequestedAt`), ISO 8601; '' if never. */
  requestedAt: string
  task: Omit<Work<never>, 'read'>
}

/**
 * The read of a list. A read for a screen, or of sent records, replaces the background read, and has a back-off of its own.
 * @param isOnScreen false if an earlier screen needed the list
 */
export function taskOf(
  { owner, fetchRequest, requestedAt }: RecordList & Pick<DueList, 'requestedAt'>,
  urgency: Urgency,
  { isOnScreen, isLocal }: { isOnScreen: boolean; isLocal: boolean },
): DueList['task'] {
  if (urgency === 'sent') return { name: `${owner} sent`, priority: 'window', fetchRequest, replaces: owner }
  if (urgency === 'screen') {
    const name = fetchRequest ? fetchRequestName(fetchRequest) : `${owner} ${requestedAt}`
    return { name, priority: isOnScreen ? 'screen' : 'window', fetchRequest, replaces: owner }
  }
  const isPaced = urgency === 'paced' && !isLocal
  return { name: owner, priority: isLocal ? 'local' : 'background', isPaced, fetchRequest }
}

/** True if the list can be read without a call, because the row of its request names no record of it. */
export const needsNoCall = (source: ListSource, list: RecordList): boolean =>
  source.kind === 'named' && source.ids(list).length === 0
