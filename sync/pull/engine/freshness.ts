/**
 * Decides when local data is so old that it is read again although nothing indicates a change (RULES PL5, decisions/pull).
 * `due`: the read begins as soon as its lane has a free place. `paced`: it also waits for the rate limit, because it only
 * confirms data that is probably right (PL10). Pure.
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
export const daysAt = (now: number) => ({
  today: tokyoDay(now),
  /** Yesterday until noon, then today: unfinished work continues past midnight (decisions/time). */
  carried: tokyoDay(now - NOON_MS),
  tomorrow: tokyoDay(now, 1),
  soon: tokyoDay(now, SOON_DAYS),
  first: tokyoDay(now, -WINDOW_DAYS_BACK),
  last: tokyoDay(now, WINDOW_DAYS_AHEAD),
})
export type Days = ReturnType<typeof daysAt>

export type Dated = Pick<RequestRecord, 'workingDate'> & Partial<Pick<RequestRecord, 'quickReport'>>

/** True for today's list: before noon, an unfinished visit of yesterday is still in it. */
const isTodays = ({ workingDate, quickReport }: Dated, { today, carried }: Days): boolean =>
  workingDate === today || (workingDate === carried && !quickReport?.outTime)

/** Sort key for reading: today, then yesterday's unfinished visits, then the coming days, then the past. */
export function readingOrder(request: Dated & Pick<RequestRecord, 'sortKey'>, days: Days): string {
  const { workingDate, sortKey } = request
  const others = workingDate > days.today ? 3 : 4
  const rank = workingDate === days.today ? 1 : isTodays(request, days) ? 2 : others
  return `${rank}${workingDate}${sortKey}`
}

/** Sorts by `readingOrder`, whose texts are made once for each request: a phone may have ten thousand. */
export const inReadingOrder = <R extends Parameters<typeof readingOrder>[0]>(
  all: readonly R[],
  days: Days,
): R[] =>
  all
    .map((request) => ({ request, order: readingOrder(request, days) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ request }) => request)

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
  let life = LIFE_MS[lifetime].later
  for (const request of requests) life = Math.min(life, LIFE_MS[lifetime][nearnessOf(request, days)])
  return life
}

/** When data is due, epoch ms: after 50 to 100 % of `life`, spread by a hash, so that not all devices read at once. */
export const dueAt = (key: string, readAt: number, life: number): number =>
  readAt + life * (0.5 + shareOf(key, readAt) / 2)

/** Replaces a time (ISO 8601) in the future by '', because a wrong clock has stamped it (RULES EX3). */
export const pastOrEmpty = (at: string, now: number): string => (Date.parse(at) > now ? '' : at)

/** Details of `later` days that were read after this time (epoch ms) cannot be due. */
export const laterDueBefore = (now: number): number => now - LIFE_MS.details.later / 2

/** A hash 0 ≤ share < 1 of its input (FNV-1a with extra mixing, because times differ only in their last digits). */
function shareOf(key: string, at: number): number {
  let hash = 0x811c9dc5 ^ Math.trunc(at)
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4294967296
}

/** `refreshedAt`: when the user last requested everything, ISO 8601; '' if never. */
export interface FreshnessClock {
  now: number
  days: Days
  refreshedAt: string
  /** When the random pause after an outage began, ISO 8601; '' if there is none. Old data is then `paced` (PL10). */
  pauseStartedAt: string
}

/** `at`: time of the read, ISO 8601; '' if never. */
type Aged = { key: string; at: string; requests: readonly Dated[] }

/** How urgently data of these requests is to be read because of its age alone; null if it is fresh (PL5, PL10). */
export function ageUrgency(
  { key, at, requests }: Aged,
  lifetime: Lifetime,
  { now, days, refreshedAt, pauseStartedAt }: FreshnessClock,
): Urgency | null {
  const readAt = pastOrEmpty(at, now)
  const isRefreshRequested = lifetime !== 'seldom' && readAt < pastOrEmpty(refreshedAt, now)
  const isNear = (one: Dated) => one.workingDate === days.tomorrow || isTodays(one, days)
  if (isRefreshRequested && requests.some(isNear)) return 'due'
  // For data that was never read, the comparison with NaN is false.
  if (now < dueAt(key, Date.parse(readAt), lifeOf(lifetime, requests, days))) return null
  return requests.some((request) => isTodays(request, days)) && pauseStartedAt === '' ? 'due' : 'paced'
}

type Detailed = Dated & Pick<RequestRecord, 'key' | 'sortKey' | 'detailConfirmedAt' | 'detail'>

/** How urgently the details of a request are to be read; null if they are fresh (PL5, PL10). */
export function detailUrgency(request: Detailed, clock: FreshnessClock): Urgency | null {
  const { key, detailConfirmedAt: at } = request
  if (at !== '') return ageUrgency({ key, at, requests: [request] }, 'details', clock)
  // A search has found the visit beyond the window, and nobody has opened it.
  if (!isInWindow(request, clock.days)) return 'paced'
  // Missing details are read at once. Details that are on the device and have changed are `paced` during the pause.
  return request.detail === null || clock.pauseStartedAt === '' ? 'due' : 'paced'
}

/** The requests whose details are to be read, by urgency; today's requests are first in each list. */
export function detailsDue<R extends Detailed>(records: readonly R[], clock: FreshnessClock) {
  const found: Record<Urgency, R[]> = { due: [], paced: [] }
  for (const record of records) {
    const urgency = detailUrgency(record, clock)
    if (urgency) found[urgency].push(record)
  }
  const { days } = clock
  return { due: inReadingOrder(found.due, days), paced: inReadingOrder(found.paced, days) }
}
