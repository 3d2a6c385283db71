/**
 * Which lists of records exist, which of them are to be read now, and in which lane of the engine (RULES PL4, PL5,
 * PL9). Pure.
 */
import type { Interest } from '#schemas/device/interest.ts'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { digest } from '#sync/lib/digest.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { Task } from '#sync/pull/engine/engine-state.ts'
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
import type { ReadPriority } from '#sync/scheduler/schedule.ts'
import { questionName } from '#sync/storage/interests.ts'

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
  { now, days }: Pick<FreshnessClock, 'now' | 'days'>,
): RequestRecord[] {
  const since = new Date(now - EXPIRY_MS).toISOString()
  const onScreen = details.filter(({ askedAt }) => askedAt > since)
  return requests.filter((one) => isInWindow(one, days) || lastOpenedAt([one], onScreen) !== '')
}

/** When a screen last requested one of these requests; '' if never. */
const lastOpenedAt = (requests: readonly RequestRecord[], details: readonly Interest[]): string =>
  details
    .filter((detail) =>
      requests.some(
        ({ id, workingDate }) =>
          detail.requestId === id && (!detail.workingDate || detail.workingDate === workingDate),
      ),
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
 * @param questions unanswered fetch requests of kind `list`
 */
export function withRequested(
  lists: readonly RecordList[],
  questions: readonly Interest[],
  requests: readonly RequestRecord[],
): RecordList[] {
  const requested = questions.map((interest) => {
    const owner = interest.recordKey ?? ''
    const known = lists.find((list) => list.owner === owner)
    const ownRequests = requests.filter(({ id }) => id === interest.requestId)
    return { owner, requests: known?.requests ?? ownRequests, question: interest }
  })
  return [...requested, ...lists.filter(({ owner }) => !requested.some((list) => list.owner === owner))]
}

/** Digest of the fields of all requests of a list that concern it; a new one means that it may have changed. */
export const becauseOf = (list: RecordList, because: (request: RequestRecord) => string): string =>
  digest([...new Set(list.requests.map((request) => because(request)))].toSorted())

/** Opening a request does not read its lists again if they were read within this time (decisions/pull). */
const OPENED_LIFE_MS = 5 * 60_000

interface Round extends FreshnessClock {
  /** Owners whose lists were read in this round. */
  read: ReadonlySet<string>
  lifetime: Exclude<Lifetime, 'details'>
  details: readonly Interest[]
  /** By owner: the newest question of a screen that the last read has answered, ISO 8601. */
  answered: ReadonlyMap<string, string>
}

/** When a screen last requested the list, or a request that it belongs to. */
export const listRequestedAt = (list: RecordList, details: readonly Interest[]): string => {
  const [requestedAt, openedAt] = [list.question?.askedAt ?? '', lastOpenedAt(list.requests, details)]
  return openedAt > requestedAt ? openedAt : requestedAt
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
  const requestedAt = list.question?.askedAt ?? ''
  const opened = lifetime === 'seldom' && mark ? '' : lastOpenedAt(list.requests, details)
  if (opened <= requestedAt) return requestedAt
  const readAt = pastOrEmpty(mark?.at ?? '', now)
  const isFresh = readAt !== '' && Date.parse(opened) - Date.parse(readAt) < OPENED_LIFE_MS
  return isFresh ? requestedAt : opened
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
  const isAsked = list.question !== undefined || waiting > pastOrEmpty(mark?.at ?? '', round.now)
  if (!isAsked && hasExpired(list, round.now)) return null
  if (!mark) return isAsked ? 'screen' : 'due'
  const isUnanswered = isAsked && round.answered.get(list.owner) !== listRequestedAt(list, round.details)
  if (mark.because !== because || isUnanswered) {
    // After an outage, only what a screen has asked for since then is read at once. The rest is paced, so that the CRM
    // is not flooded.
    if (list.question || (isAsked && waiting > round.pausedSince)) return 'screen'
    return round.pausedSince === '' ? 'due' : 'paced'
  }
  return round.read.has(list.owner)
    ? null
    : ageUrgency({ ...list, key: list.owner, at: mark.at }, round.lifetime, round)
}

/**
 * True if all its visits have expired, a day after they were confirmed (RULES EX1): nobody would see its
 * records. If the CRM still has the visits, their rows are read first.
 */
const hasExpired = ({ requests }: RecordList, now: number): boolean =>
  requests.length > 0 && requests.every(({ confirmedAt }) => Date.parse(confirmedAt) < now - EXPIRY_MS)

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

/** A list that is to be read now. */
export interface DueList extends RecordList {
  because: string
  askedAt: string
  urgency: Urgency
  /** True if the screen that is open now requested it, false if an earlier one did. */
  forCurrentScreen: boolean
  /** Name of its read and of its back-off; different for each question of a screen. */
  name: string
}

/**
 * `one`: a record that a screen needs by id. `screen`: a list on the current screen. `soon`: a list with
 * records that this device has sent and not read back, or that an earlier screen requested. `background`:
 * nobody waits for it. `free`: needs no call.
 */
type Lane = 'one' | 'screen' | 'soon' | 'background' | 'free'

/** Limited, because other collections and the requests also need places. */
export const LIST_LANES: Readonly<Record<Lane, number>> = {
  one: Infinity,
  screen: Infinity,
  soon: 2,
  background: 2,
  free: 20,
}

/** Name of a list's read. A read for a screen, or of sent records, may run beside the background read. */
export function nameOf({ owner, urgency, askedAt, question }: Omit<DueList, 'name'>): string {
  if (urgency === 'due' || urgency === 'paced') return owner
  if (urgency === 'sent') return `${owner} sent`
  return question ? questionName(question) : `${owner} ${askedAt}`
}

function laneOf({ urgency, forCurrentScreen }: DueList, isFree: boolean): Lane {
  if (urgency === 'due' || urgency === 'paced') return isFree ? 'free' : 'background'
  return urgency === 'screen' && forCurrentScreen ? 'screen' : 'soon'
}

/**
 * The read as a task of the engine.
 * @param isFree true if it needs no call
 */
export function listTask(list: DueList, isFree: boolean): Task & { priority: ReadPriority } {
  const lane = laneOf(list, isFree)
  return {
    name: list.name,
    lane,
    priority: lane === 'soon' ? 'window' : lane === 'screen' ? 'screen' : 'background',
    isForScreen: lane === 'screen',
    isPaced: list.urgency === 'paced' && !isFree,
    question: list.question,
    isGathered: lane === 'background' || lane === 'free',
    // This read replaces the background read of the list.
    ...(list.name !== list.owner && { replaces: list.owner }),
  }
}

/** True if no call is needed, because the request names no record of this list. */
export const needsNoCall = (source: ListSource, list: RecordList): boolean =>
  source.kind === 'named' && source.ids(list).length === 0
