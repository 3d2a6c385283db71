/** The conditions of 依頼検索, the days of its quick ranges, and the tab's stored conditions. */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import { OrderFlagName } from '#schemas/codes.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { isBlank } from '#schemas/text.ts'
import type { Database } from '#data/database/database.ts'
import type { LiveQueries } from '#data/database/live-queries.ts'
import { visitListQuery, visitsOfDaysQuery } from '#data/visits/first-queries.ts'
import type { DayRange } from '#data/visits/request-rows.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'
import { addDays, dayRangeText, isIsoDate, tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedDay } from '#lib/time/working-day.ts'
import { shownLabel } from '#lib/language.ts'

/** First and last day of each quick range, as numbers of days after today. */
const QUICK_RANGES = { yesterday: [-1, -1], today: [0, 0], tomorrow: [1, 1], week: [0, 6] } as const
export type QuickRange = keyof typeof QUICK_RANGES

/** The conditions as stored. A quick range is resolved to days on each use; with `quick: ''` the typed days apply. */
export interface FilterChoice extends RequestFilter {
  quick: QuickRange | ''
}

export const DEFAULT_CHOICE: FilterChoice = {
  quick: 'today',
  from: '',
  to: '',
  requestCode: '',
  locationName: '',
  customerName: '',
  orderFlags: [],
  emergencyOnly: false,
}

/** Name of the stored conditions in the tab's memory. */
export const CHOICE = 'request-filter'

/** Parses the tab's stored choice. A missing or invalid choice becomes the default. */
export const readChoice = (text: string | null): FilterChoice => readStoredJson(text, DEFAULT_CHOICE)

function daysAround(today: string, [first, last]: readonly [number, number]): DayRange {
  return { from: addDays(today, first), to: addDays(today, last) }
}

/** Returns a choice as field values of 検索条件. */
export const typedFilter = ({ quick, ...filter }: FilterChoice, today: string): RequestFilter =>
  quick === '' ? filter : { ...filter, ...daysAround(today, QUICK_RANGES[quick]) }

const hasCode = ({ requestCode }: Pick<RequestFilter, 'requestCode'>) => !isBlank(requestCode)

/** Returns the filter for a choice on a given day. A 依頼番号 is searched on all days, because the user may not know its day. */
export function filterOf(choice: FilterChoice, today: string): RequestFilter {
  const filter = typedFilter(choice, today)
  return hasCode(filter) ? { ...filter, from: '', to: '' } : filter
}

/** Returns the active quick range; null for typed days and for a 依頼番号. */
export const quickOf = (choice: FilterChoice): QuickRange | null =>
  hasCode(choice) ? null : choice.quick || null

/** Returns the typed conditions as a choice. Days that equal a quick range become that range. */
export function choiceOf(filter: RequestFilter, today: string): FilterChoice {
  const quick = (['yesterday', 'today', 'tomorrow', 'week'] as const).find((each) => {
    const { from, to } = daysAround(today, QUICK_RANGES[each])
    return filter.from === from && filter.to === to
  })
  return { ...filter, quick: quick ?? '' }
}

/** True if the CRM may have more results than the device, which synchronises only a window of days. */
export function goesBeyondDevice(filter: RequestFilter, today: string): boolean {
  const { from, to, requestCode, locationName, customerName } = filter
  const days = daysAround(today, [-WINDOW_DAYS_BACK, WINDOW_DAYS_AHEAD])
  const isInWindow = isIsoDate(from) && isIsoDate(to) && from >= days.from && to <= days.to
  return !isInWindow || [requestCode, locationName, customerName].some((text) => !isBlank(text))
}

/** Returns yesterday's date if its unfinished visits are also shown (今日 and 今後7日間, until noon); otherwise null. */
export function carriedInto(choice: FilterChoice, nowMs: number): string | null {
  const quick = quickOf(choice)
  return quick === 'today' || quick === 'week' ? carriedDay(nowMs) : null
}

/** Returns the days whose visits are read for a search; null if all days are searched. */
export const searchedDays = ({ from, to }: DayRange, carried: string | null): DayRange | null =>
  from && to ? { from: carried ?? from, to } : null

/** Starts the query of 依頼検索 before the screen is rendered. @param choice the tab's stored choice @param now epoch ms */
export function readAheadOfList(live: LiveQueries<Database>, choice: string | null, now: number): void {
  const chosen = readChoice(choice)
  const days = searchedDays(filterOf(chosen, tokyoToday(now)), carriedInto(chosen, now))
  const { key, query } = days ? visitsOfDaysQuery(days) : visitListQuery
  live.store(key, query).get()
}

/** Returns the days as text. Examples: `11/20（金）〜11/26（木）`, `11/20（金）`; '' without days. */
export const rangeText = ({ from, to }: DayRange, today: string): string =>
  from === '' && to === '' ? '' : dayRangeText(from, to, today)

/** Returns the names of the chosen 種別; '' for all. */
export const orderFlagNames = ({ orderFlags }: Pick<RequestFilter, 'orderFlags'>) =>
  orderFlags.map((flag) => shownLabel(OrderFlagName.label(flag))).join('・')
