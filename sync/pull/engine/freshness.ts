/**
 * Decides when local data is too old and must be read again although nothing indicates a change (RULES PL5,
 * decisions/pull). The nearer the day of the work, the shorter is the lifetime of its data. Pure.
 *
 * Data that is to be read again has one of two urgencies. `due`: the read begins as soon as its lane has a free place.
 * `paced`: the read also waits for the rate limit, because it only confirms data that is probably right (PL10).
 */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { tokyoDay } from '#schemas/instant.ts'

/** `seldom`: lists such as past reports and staff, which データを今すぐ更新 does not read again. */
export type Lifetime = 'details' | 'lists' | 'seldom'
type Urgency = 'due' | 'paced'
type Nearness = 'today' | 'tomorrow' | 'soon' | 'later'

const HOUR_MS = 3_600_000
const NOON_MS = 12 * HOUR_MS
const SOON_DAYS = 3

/** `today`: unfinished work of today or of the past night; finished work counts as `tomorrow`. `soon`: in 2 or 3 days. */
const LIFE_MS: Readonly<Record<Lifetime, Readonly<Record<Nearness, number>>>> = {
  details: { today: 2 * HOUR_MS, tomorrow: 18 * HOUR_MS, soon: 48 * HOUR_MS, later: 168 * HOUR_MS },
  lists: { today: 6 * HOUR_MS, tomorrow: 18 * HOUR_MS, soon: 48 * HOUR_MS, later: 168 * HOUR_MS },
  seldom: { today: 24 * HOUR_MS, tomorrow: 24 * HOUR_MS, soon: 168 * HOUR_MS, later: 168 * HOUR_MS },
}
export const LONGEST_LIFE_MS = Math.max(...Object.values(LIFE_MS).flatMap((lives) => Object.values(lives)))

/** Days for comparison with working days, YYYY-MM-DD. */
export interface Days {
  today: string
  /** Yesterday's date until noon, then today's: unfinished work continues past midnight (decisions/time). */
  carried: string
  tomorrow: string
  soon: string
  /** First day of the window. */
  first: string
  last: string
}
export const daysAt = (now: number): Days => ({
  today: tokyoDay(now),
  carried: tokyoDay(now - NOON_MS),
  tomorrow: tokyoDay(now, 1),
  soon: tokyoDay(now, SOON_DAYS),
  first: tokyoDay(now, -WINDOW_DAYS_BACK),
  last: tokyoDay(now, WINDOW_DAYS_AHEAD),
})

export type Dated = Pick<RequestRecord, 'workingDate'> & Partial<Pick<RequestRecord, 'quickReport'>>

/** True for an unfinished visit of the day `carried`: before noon, one of yesterday is still in today's list. */
const isCarried = ({ workingDate, quickReport }: Dated, { carried }: Days): boolean =>
  workingDate === carried && !quickReport?.outTime

const isTodays = (request: Dated, days: Days): boolean =>
  request.workingDate === days.today || isCarried(request, days)

/** True if データを今すぐ更新 reads the visit's data again: visits of today's list, and of tomorrow. */
const isNear = (request: Dated, days: Days): boolean =>
  request.workingDate === days.tomorrow || isTodays(request, days)

/** Sort key for reading: today, then yesterday's unfinished visits, then the coming days, then the past. */
export function readingOrder(request: Dated & Pick<RequestRecord, 'sortKey'>, days: Days): string {
  return `${rankOf(request, days)}${request.workingDate}${request.sortKey}`
}

function rankOf(request: Dated, days: Days): 1 | 2 | 3 | 4 {
  if (request.workingDate === days.today) return 1
  if (isCarried(request, days)) return 2
  return request.workingDate > days.today ? 3 : 4
}

export const isInWindow = ({ workingDate }: Dated, { first, last }: Days): boolean =>
  workingDate >= first && workingDate <= last

function nearnessOf(request: Dated, days: Days): Nearness {
  const { workingDate, quickReport } = request
  const { tomorrow, soon } = days
  if (isTodays(request, days)) return quickReport?.outTime ? 'tomorrow' : 'today'
  if (workingDate === tomorrow) return 'tomorrow'
  return workingDate > tomorrow && workingDate <= soon ? 'soon' : 'later'
}

/** The lifetime (ms) of data that several requests share: the shortest of their lifetimes. */
export function lifeOf(lifetime: Lifetime, requests: readonly Dated[], days: Days): number {
  const lives = LIFE_MS[lifetime]
  let life = lives.later
  for (const request of requests) life = Math.min(life, lives[nearnessOf(request, days)])
  return life
}

/**
 * When data is to be read again, epoch ms: after half to all of its lifetime. A hash of key and read time decides, so that
 * data that thousands of devices read in one minute is not due within one minute.
 */
export const dueAt = (key: string, readAt: number, life: number): number =>
  readAt + life * (0.5 + shareOf(key, readAt) / 2)

/** Replaces a time (ISO 8601) in the future by '', because a wrong clock has stamped it (RULES EX3). */
export const pastOrEmpty = (at: string, now: number): string => (Date.parse(at) > now ? '' : at)

/** Details of `later` days that were read after this time (epoch ms) cannot be due, so they need not be checked. */
export const laterDueBefore = (now: number): number => now - LIFE_MS.details.later / 2

/** A hash 0 ≤ share < 1 of its input (FNV-1a with extra mixing, because times differ only in their last digits). */
function shareOf(key: string, at: number): number {
  let hash = 0x811c9dc5 ^ Math.trunc(at)
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}

export interface FreshnessClock {
  now: number
  days: Days
  /** When the user last requested everything, ISO 8601; '' if never. */
  refreshedAt: string
  /**
   * When the current pause began, ISO 8601; '' if there is none. In the random pause after an outage, data that has only
   * become old is `paced` (PL10).
   */
  pauseStartedAt: string
}

interface Aged {
  key: string
  /** Time of the read, ISO 8601; '' if never. */
  at: string
  /** The requests that the data belongs to. */
  requests: readonly Dated[]
}

/** How urgently data is to be read because of its age alone; null if it is fresh (PL5, PL10). */
export function ageUrgency(
  { key, at, requests }: Aged,
  lifetime: Lifetime,
  clock: FreshnessClock,
): Urgency | null {
  const { now, days, refreshedAt, pauseStartedAt } = clock
  const readAt = pastOrEmpty(at, now)
  const isRefreshRequested = lifetime !== 'seldom' && readAt < pastOrEmpty(refreshedAt, now)
  if (isRefreshRequested && requests.some((request) => isNear(request, days))) return 'due'
  // For data that was never read, the comparison with NaN is false.
  if (now < dueAt(key, Date.parse(readAt), lifeOf(lifetime, requests, days))) return null
  return requests.some((request) => isTodays(request, days)) && pauseStartedAt === '' ? 'due' : 'paced'
}

type Detailed = Dated & Pick<RequestRecord, 'key' | 'sortKey' | 'detailConfirmedAt' | 'detail'>

/** How urgently the details of a request are to be read; null if they are fresh (PL5, PL10). */
export function detailUrgency(request: Detailed, clock: FreshnessClock): Urgency | null {
  const { key, detailConfirmedAt: at } = request
  if (at !== '') return ageUrgency({ key, at, requests: [request] }, 'details', clock)
  // The visit is beyond the window: a search has found it, and nobody has opened it.
  if (!isInWindow(request, clock.days)) return 'paced'
  // Missing details are read at once. Details that are on the device and have changed are `paced` during the pause.
  return request.detail === null || clock.pauseStartedAt === '' ? 'due' : 'paced'
}

/** The requests whose details are to be read, by urgency; today's requests are first in each list. */
export function detailsDue<R extends Detailed>(
  records: readonly R[],
  clock: FreshnessClock,
): { due: R[]; paced: R[] } {
  const order = (record: R) => readingOrder(record, clock.days)
  const found: { due: R[]; paced: R[] } = { due: [], paced: [] }
  for (const record of records) {
    const urgency = detailUrgency(record, clock)
    if (urgency) found[urgency].push(record)
  }
  for (const requests of [found.due, found.paced]) requests.sort((a, b) => (order(a) < order(b) ? -1 : 1))
  return found
}
