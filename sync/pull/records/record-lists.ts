/** Which lists of records there are to read, and which of them now (RULES PL4, PL5): pure decisions. */
import type { Interest } from '#schemas/device/interest.ts'
import { EXPIRY_MS, WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { digest } from '#sync/lib/digest.ts'
import {
  dueAt,
  isNear,
  isTodays,
  lifeOf,
  pastOf,
  readingOrder,
  type Days,
  type Lifetime,
} from '#sync/pull/engine/freshness.ts'
import type { LocalRecord } from '#sync/merge/pulled-row.ts'
import type { RecordList } from '#sync/resources/pull-resource.ts'
import { tokyoDay } from '#sync/lib/tokyo-day.ts'

/** What is known of a list that was read. */
export interface ListMark {
  because: string
  /** ISO 8601, wall clock of the read; '' where it could not be had. */
  at: string
  stamp: string
}

/** The requests whose records are kept: those of the window, and those a screen asked for within a day. */
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
      (request.workingDate >= from && request.workingDate <= to) || askedFor(request, onScreen) !== '',
  )
}

/** When a screen last asked for a request; '' where none did. */
const askedFor = ({ id, workingDate }: RequestRecord, details: readonly Interest[]): string =>
  details
    .filter(
      (detail) => detail.requestId === id && (!detail.workingDate || detail.workingDate === workingDate),
    )
    .reduce((latest, { askedAt }) => (askedAt > latest ? askedAt : latest), '')

/** The lists of these requests, the most urgent first: today's, then by day; what is past comes last. */
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
 * These lists and those that screens asked for, the latter first.
 * @param asked interests of kind list that wait for their answer
 */
export function withRequested(
  lists: readonly RecordList[],
  asked: readonly Interest[],
  requests: readonly RequestRecord[],
): RecordList[] {
  const wanted = asked.map((interest) => {
    const owner = interest.recordKey ?? ''
    const known = lists.find((list) => list.owner === owner)
    const through = requests.filter(({ id }) => id === interest.requestId)
    return { owner, requests: known?.requests ?? through, asked: interest }
  })
  return [...wanted, ...lists.filter(({ owner }) => !wanted.some((list) => list.owner === owner))]
}

/** Several requests share a list: what all of them say about it. */
export const becauseOf = (list: RecordList, because: (request: RequestRecord) => string): string =>
  digest([...new Set(list.requests.map((request) => because(request)))].toSorted())

/** A request that is opened again so soon after its lists were read does not have them read again (decisions/pull). */
const OPENED_LIFE_MS = 5 * 60_000

interface Round {
  now: number
  days: Days
  /** ISO 8601: when the user last asked for everything; '' where that was not yet. */
  refreshedAt: string
  /** ISO 8601: since when what nobody waits for makes a pause, the CRM having come back; '' while there is none (PL10). */
  pausedSince: string
  /** Owners whose lists were read in this round. */
  read: ReadonlySet<string>
  kept: Exclude<Lifetime, 'details'>
  details: readonly Interest[]
  /** What a screen asked for, as it was when the list was read. */
  answered: ReadonlyMap<string, string>
}

/** When a screen last asked for one of these requests. */
const openedAt = (requests: readonly RequestRecord[], details: readonly Interest[]): string =>
  requests
    .map((request) => askedFor(request, details))
    .reduce((latest, at) => (at > latest ? at : latest), '')

/** When a screen last asked for the list, or for a request of it. */
export const listRequestedAt = (list: RecordList, details: readonly Interest[]): string => {
  const [asked, opened] = [list.asked?.askedAt ?? '', openedAt(list.requests, details)]
  return opened > asked ? opened : asked
}

/**
 * Whether a screen waits for a list, and since when: one that asks for it by name, or one that shows a request it belongs to,
 * and it was not read shortly before. Past reports have a screen of their own, which asks by name.
 */
function waitingSince(list: RecordList, mark: ListMark | undefined, { kept, details, now }: Round): string {
  const asked = list.asked?.askedAt ?? ''
  const opened = kept === 'seldom' && mark ? '' : openedAt(list.requests, details)
  if (opened <= asked) return asked
  const readAt = pastOf(mark?.at ?? '', now)
  const isFresh = readAt !== '' && Date.parse(opened) - Date.parse(readAt) < OPENED_LIFE_MS
  return isFresh ? asked : opened
}

export type Urgency = 'sent' | 'screen' | 'due' | 'paced'

/**
 * How urgently a list is to be read; null where it is fresh, or of visits that have left the list. `due`: never read, its
 * request says something else of it, today's, or the user asked for everything; `paced`: only to be confirmed, at the pace of
 * PL10.
 * @param sent the newest stamp of what was sent from here and not read since; '' where there is none
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
  const isAsked = list.asked !== undefined || waiting > pastOf(mark?.at ?? '', round.now)
  if (!isAsked && hasLeft(list, round.now)) return null
  if (!mark) return isAsked ? 'screen' : 'due'
  const isUnanswered = isAsked && round.answered.get(list.owner) !== listRequestedAt(list, round.details)
  if (mark.because !== because || isUnanswered) {
    // what lies behind the links of a screen that was opened during an outage makes the pause after it
    if (list.asked || (isAsked && waiting > round.pausedSince)) return 'screen'
    return round.pausedSince === '' ? 'due' : 'paced'
  }
  return round.read.has(list.owner) ? null : ageUrgency(list, mark, round)
}

/**
 * Its visits have left the list, a day after they were confirmed (RULES EX1): what hangs on them would come back to the device
 * for nobody. Their rows come first.
 */
const hasLeft = ({ requests }: RecordList, now: number): boolean =>
  requests.length > 0 && requests.every(({ confirmedAt }) => Date.parse(confirmedAt) < now - EXPIRY_MS)

/** Of a list that nothing says anything about. */
function ageUrgency({ owner, requests }: RecordList, { at }: ListMark, round: Round): 'due' | 'paced' | null {
  const { days, kept, refreshedAt, pausedSince, now } = round
  const readAt = pastOf(at, now)
  const isAskedFor = kept === 'lists' && readAt < pastOf(refreshedAt, now)
  if (isAskedFor && requests.some((request) => isNear(request, days))) return 'due'
  if (readAt !== '' && now < dueAt(owner, Date.parse(readAt), lifeOf(kept, requests, days))) return null
  const isToday = requests.some((request) => isTodays(request, days))
  return isToday && pausedSince === '' ? 'due' : 'paced'
}

/** Sent from here, and not read since. */
export const isUnread = ({ server }: LocalRecord) => server !== undefined && !server.detailed

/**
 * Owners of records that were sent from here and not read since, with the newest stamp of these. The CRM now knows more of
 * them (their name, their folder), and photos wait for it: their lists go before all others.
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
