/** Which lists of records exist, and which of them are to be read now (RULES PL4, PL5). Pure. */
import type { Interest } from '#schemas/device/interest.ts'
import { EXPIRY_MS, WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { digest } from '#sync/lib/digest.ts'
import {
  dueAt,
  isNear,
  isTodays,
  lifeOf,
  pastOrEmpty,
  readingOrder,
  type Days,
  type Lifetime,
} from '#sync/pull/engine/freshness.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { RecordList } from '#sync/resources/pull-resource.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** When a list was read, and for which state of its requests. */
export interface ListMark {
  because: string
  /** Wall clock of the read, ISO 8601; '' if the read was refused. */
  at: string
  stamp: string
}

/**
 * The requests whose records stay on the device: those of the window, and those that a screen requested
 * within a day.
 */
export function wantedRequests(
  requests: readonly RequestRecord[],
  details: readonly Interest[],
  now: number,
): RequestRecord[] {
  const [from, to] = [tokyoDay(now, -WINDOW_DAYS_BACK), tokyoDay(now, WINDOW_DAYS_AHEAD)]
  const since = new Date(now - EXPIRY_MS).toISOString()
  const onScreen = details.filter(({ askedAt }) => askedAt > since)
  return requests.filter(
    (request) =>
      (request.workingDate >= from && request.workingDate <= to) || requestedAt(request, onScreen) !== '',
  )
}

/** When a screen last requested a request; '' if never. */
const requestedAt = ({ id, workingDate }: RequestRecord, details: readonly Interest[]): string =>
  details
    .filter(
      (detail) => detail.requestId === id && (!detail.workingDate || detail.workingDate === workingDate),
    )
    .reduce((latest, { askedAt }) => (askedAt > latest ? askedAt : latest), '')

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

/**
 * These lists and those that screens requested, the latter first.
 * @param asked unanswered fetch requests of kind `list`
 */
export function withRequested(
  lists: readonly RecordList[],
  asked: readonly Interest[],
  requests: readonly RequestRecord[],
): RecordList[] {
  const requested = asked.map((interest) => {
    const owner = interest.recordKey ?? ''
    const known = lists.find((list) => list.owner === owner)
    const ownRequests = requests.filter(({ id }) => id === interest.requestId)
    return { owner, requests: known?.requests ?? ownRequests, asked: interest }
  })
  return [...requested, ...lists.filter(({ owner }) => !requested.some((list) => list.owner === owner))]
}

/** Digest of the fields of all requests of a list that concern it; a new one means that it may have changed. */
export const becauseOf = (list: RecordList, because: (request: RequestRecord) => string): string =>
  digest([...new Set(list.requests.map((request) => because(request)))].toSorted())

/**
 * Opening a request does not read its lists again if they were read within this time (decisions/pull).
 */
const OPENED_LIFE_MS = 5 * 60_000

interface Round {
  now: number
  days: Days
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  /** Start of the pause after the CRM returned, ISO 8601; '' if there is none (PL10). */
  pausedSince: string
  /** Owners whose lists were read in this round. */
  read: ReadonlySet<string>
  lifetime: Exclude<Lifetime, 'details'>
  details: readonly Interest[]
  /** By owner: when a screen's latest request was made, as of the read of the list. */
  answered: ReadonlyMap<string, string>
}

/** When a screen last requested one of these requests. */
const lastOpenedAt = (requests: readonly RequestRecord[], details: readonly Interest[]): string =>
  requests
    .map((request) => requestedAt(request, details))
    .reduce((latest, at) => (at > latest ? at : latest), '')

/** When a screen last requested the list, or a request that it belongs to. */
export const listRequestedAt = (list: RecordList, details: readonly Interest[]): string => {
  const [asked, opened] = [list.asked?.askedAt ?? '', lastOpenedAt(list.requests, details)]
  return opened > asked ? opened : asked
}

/**
 * Since when a screen waits for a list, ISO 8601; '' if none does. A screen waits if it requested the list, or
 * if it shows a request of a list that was not read in the last minutes. Past reports have their own screen,
 * which requests them.
 */
function waitingSince(
  list: RecordList,
  mark: ListMark | undefined,
  { lifetime, details, now }: Round,
): string {
  const asked = list.asked?.askedAt ?? ''
  const opened = lifetime === 'seldom' && mark ? '' : lastOpenedAt(list.requests, details)
  if (opened <= asked) return asked
  const readAt = pastOrEmpty(mark?.at ?? '', now)
  const isFresh = readAt !== '' && Date.parse(opened) - Date.parse(readAt) < OPENED_LIFE_MS
  return isFresh ? asked : opened
}

export type Urgency = 'sent' | 'screen' | 'due' | 'paced'

/**
 * How urgently a list is to be read; null if it is fresh, or if its visits have expired. `due`: never read,
 * its requests have changed, it is of today, or the user requested everything. `paced`: only to be confirmed,
 * at the rate of PL10.
 * @param sent newest stamp of the records that this device has sent and not read back; '' if none
 */
export function urgencyOf(
  list: RecordList,
  mark: ListMark | undefined,
  because: string,
  round: Round,
  sent: string,
): Urgency | null {
  if (sent > (mark?.stamp ?? '')) return 'sent'
  const waiting = waitingSince(list, mark, round)
  const isAsked = list.asked !== undefined || waiting > pastOrEmpty(mark?.at ?? '', round.now)
  if (!isAsked && hasExpired(list, round.now)) return null
  if (!mark) return isAsked ? 'screen' : 'due'
  const isUnanswered = isAsked && round.answered.get(list.owner) !== listRequestedAt(list, round.details)
  if (mark.because !== because || isUnanswered) {
    // Lists behind links of a screen that was opened during an outage wait for the pause after it.
    if (list.asked || (isAsked && waiting > round.pausedSince)) return 'screen'
    return round.pausedSince === '' ? 'due' : 'paced'
  }
  return round.read.has(list.owner) ? null : ageUrgency(list, mark, round)
}

/**
 * True if all its visits have expired, a day after they were confirmed (RULES EX1): nobody would see its
 * records. If the CRM still has the visits, their rows are read first.
 */
const hasExpired = ({ requests }: RecordList, now: number): boolean =>
  requests.length > 0 && requests.every(({ confirmedAt }) => Date.parse(confirmedAt) < now - EXPIRY_MS)

/** The urgency of a list about which nothing is new. */
function ageUrgency({ owner, requests }: RecordList, { at }: ListMark, round: Round): 'due' | 'paced' | null {
  const { days, lifetime, refreshedAt, pausedSince, now } = round
  const readAt = pastOrEmpty(at, now)
  const isRefreshRequested = lifetime === 'lists' && readAt < pastOrEmpty(refreshedAt, now)
  if (isRefreshRequested && requests.some((request) => isNear(request, days))) return 'due'
  if (readAt !== '' && now < dueAt(owner, Date.parse(readAt), lifeOf(lifetime, requests, days))) return null
  const isToday = requests.some((request) => isTodays(request, days))
  return isToday && pausedSince === '' ? 'due' : 'paced'
}

/** True if this device has sent the record and not read it back yet. */
export const isUnread = ({ server }: LocalRecord) => server !== undefined && !server.detailed

/**
 * Owners of records that this device has sent and not read back, with the newest stamp. The CRM has added
 * fields to them (name, folder) that photos wait for, so their lists are read before all others.
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
