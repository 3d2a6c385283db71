/** The conditions of 依頼検索, and the days of its quick ranges. */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import { OrderFlagName } from '#schemas/codes.ts'
import type { RequestFilter } from '#schemas/device/interest.ts'
import { isBlank } from '#schemas/text.ts'
import { addDays, dayRangeText, isIsoDate } from '#lib/time/tokyo-time.ts'
import { carriedDay } from '#lib/time/working-day.ts'
import { shownLabel } from '#lib/language.ts'
import type { DayRange } from '#data/visits/request-rows.ts'

/**
 * The conditions as stored. A quick range such as 今日 is resolved to days on each use; with `quick: ''` the typed days
 * apply.
 */
export interface FilterChoice extends RequestFilter {
  quick: QuickRange | ''
}
export type QuickRange = 'yesterday' | 'today' | 'tomorrow' | 'week'

const QUICK_RANGES = ['yesterday', 'today', 'tomorrow', 'week'] as const satisfies readonly QuickRange[]

/** Number of days after today in 今後7日間. */
const WEEK_DAYS_AHEAD = 6

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

function quickDays(quick: QuickRange, today: string): { from: string; to: string } {
  switch (quick) {
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'today':
      return { from: today, to: today }
    case 'tomorrow':
      return { from: addDays(today, 1), to: addDays(today, 1) }
    case 'week':
      return { from: today, to: addDays(today, WEEK_DAYS_AHEAD) }
  }
}

/** Returns a choice as field values of 検索条件. */
export function typedFilter({ quick, ...filter }: FilterChoice, today: string): RequestFilter {
  return quick === '' ? filter : { ...filter, ...quickDays(quick, today) }
}

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
  const quick = QUICK_RANGES.find((each) => {
    const { from, to } = quickDays(each, today)
    return filter.from === from && filter.to === to
  })
  return { ...filter, quick: quick ?? '' }
}

/** The days that the device always synchronises. */
const windowOf = (today: string) => ({
  from: addDays(today, -WINDOW_DAYS_BACK),
  to: addDays(today, WINDOW_DAYS_AHEAD),
})

/** True if all searched days are synchronised. */
function isInWindow({ from, to }: Pick<RequestFilter, 'from' | 'to'>, today: string): boolean {
  const days = windowOf(today)
  return isIsoDate(from) && isIsoDate(to) && from >= days.from && to <= days.to
}

/** True if the CRM may have more results than the device, which has only a window of days. */
export function goesBeyondDevice(filter: RequestFilter, today: string): boolean {
  const { requestCode, locationName, customerName } = filter
  return (
    !isInWindow(filter, today) || [requestCode, locationName, customerName].some((text) => !isBlank(text))
  )
}

/**
 * Returns yesterday's date if the choice also shows yesterday's unfinished visits (今日 and 今後7日間, until noon); otherwise
 * null.
 */
export function carriedInto(choice: FilterChoice, nowMs: number): string | null {
  const quick = quickOf(choice)
  return quick === 'today' || quick === 'week' ? carriedDay(nowMs) : null
}

/** Returns the days whose visits are read for a search; null if all days are searched. */
export const searchedDays = (
  { from, to }: Pick<RequestFilter, 'from' | 'to'>,
  carried: string | null,
): DayRange | null => (from && to ? { from: carried ?? from, to } : null)

/** Returns the days as text. Examples: `11/20（金）〜11/26（木）`, `11/20（金）`; '' without days. */
export const rangeText = ({ from, to }: Pick<RequestFilter, 'from' | 'to'>, today: string): string =>
  from === '' && to === '' ? '' : dayRangeText(from, to, today)

/** Returns the names of the chosen 種別; '' for all. */
export const orderFlagNames = ({ orderFlags }: Pick<RequestFilter, 'orderFlags'>) =>
  orderFlags.map((flag) => shownLabel(OrderFlagName.label(flag))).join('・')
