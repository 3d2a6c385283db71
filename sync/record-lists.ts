/** Which lists of records there are to read, and which of them now (RULES PL4, PL5): pure decisions. */
import type { Interest } from '#schemas/interest.ts'
import { EXPIRY_HOURS, WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { digest } from './digest.ts'
import { DETAIL_LIFE_MS } from './reconcile.ts'
import type { LocalRecord, RecordList } from './resources/pull-resource.ts'
import { tokyoDay } from './tokyo-day.ts'

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
  const since = new Date(now - EXPIRY_HOURS * 3_600_000).toISOString()
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
  today: string,
): RecordList[] {
  const distance = ({ workingDate, sortKey }: RequestRecord) =>
    (workingDate < today ? '2' : '1') + workingDate + sortKey
  const lists = new Map<string, RecordList>()
  for (const request of requests.toSorted((a, b) => (distance(a) < distance(b) ? -1 : 1)))
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
export function withAsked(
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

/** So long a list of today's or tomorrow's holds while nothing says that it changed (decision 0025). */
const NEAR_LIST_LIFE_MS = 3_600_000

interface Round {
  now: number
  /** ISO 8601: when the user last asked for everything; '' where that was not yet. */
  refreshedAt: string
  /** Owners whose lists were read in this round. */
  read: ReadonlySet<string>
  near: boolean
  details: readonly Interest[]
  /** What a screen asked for, as it was when the list was read. */
  answered: ReadonlyMap<string, string>
}

/** When a screen last asked for the list, or for a request of it. */
export const askedForList = (list: RecordList, details: readonly Interest[]): string =>
  list.requests
    .map((request) => askedFor(request, details))
    .reduce((latest, at) => (at > latest ? at : latest), list.asked?.askedAt ?? '')

/** Whether a list is to be read: never read, changed, on screen, old, or near and asked for or older than an hour (PL5). */
function isDue(list: RecordList, mark: ListMark | undefined, because: string, round: Round): boolean {
  if (!mark || mark.because !== because) return true
  const asked = askedForList(list, round.details)
  if ((list.asked || asked > mark.at) && round.answered.get(list.owner) !== asked) return true
  if (round.read.has(list.owner)) return false
  const nearDays = [tokyoDay(round.now), tokyoDay(round.now, 1)]
  const isNear = round.near && list.requests.some(({ workingDate }) => nearDays.includes(workingDate))
  if (isNear && mark.at < round.refreshedAt) return true
  return round.now - Date.parse(mark.at) >= (isNear ? NEAR_LIST_LIFE_MS : DETAIL_LIFE_MS)
}

export type Urgency = 'sent' | 'screen' | 'due'

/**
 * How urgently a list is to be read; null where it is not.
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
  if (!isDue(list, mark, because, round)) return null
  return list.asked || askedForList(list, round.details) > (mark?.at ?? '') ? 'screen' : 'due'
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
