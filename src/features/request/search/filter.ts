/** What 依頼検索 looks for: chosen conditions, and the days that a quick range means today. */
import { WINDOW_DAYS_AHEAD, WINDOW_DAYS_BACK } from '#schemas/limits.ts'
import { OrderFlagName } from '#schemas/codes.ts'
import type { RequestFilter } from '#schemas/request-filter.ts'
import { addDays, dayRangeText, isIsoDate } from '#lib/time/tokyo-time.ts'
import { carriedDay } from '#lib/time/working-day.ts'

/** The conditions as they are kept: a quick range stays itself over midnight, '' means the days that were typed. */
export interface FilterChoice extends RequestFilter {
  quick: QuickRange | ''
}
export type QuickRange = 'yesterday' | 'today' | 'tomorrow' | 'week'

const QUICK_RANGES = ['yesterday', 'today', 'tomorrow', 'week'] as const satisfies readonly QuickRange[]

/** 今後7日間: today and six more. */
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

/** What is chosen as the fields of 検索条件 show it. */
export function typedFilter({ quick, ...filter }: FilterChoice, today: string): RequestFilter {
  return quick === '' ? filter : { ...filter, ...quickDays(quick, today) }
}

const hasCode = ({ requestCode }: Pick<RequestFilter, 'requestCode'>) => requestCode.trim() !== ''

/** The filter a choice stands for on a day. A 依頼番号 is looked for in all days: who has one need not know its day. */
export function filterOf(choice: FilterChoice, today: string): RequestFilter {
  const filter = typedFilter(choice, today)
  return hasCode(filter) ? { ...filter, from: '', to: '' } : filter
}

/** The quick range in force; null where the days are others, or do not count. */
export const quickOf = (choice: FilterChoice): QuickRange | null =>
  hasCode(choice) ? null : choice.quick || null

/** What was typed in 検索条件 as a choice: days that are a quick range become it again. */
export function choiceOf(filter: RequestFilter, today: string): FilterChoice {
  const quick = QUICK_RANGES.find((each) => {
    const { from, to } = quickDays(each, today)
    return filter.from === from && filter.to === to
  })
  return { ...filter, quick: quick ?? '' }
}

/** The days that the device keeps up to date by itself. */
const windowOf = (today: string) => ({
  from: addDays(today, -WINDOW_DAYS_BACK),
  to: addDays(today, WINDOW_DAYS_AHEAD),
})

/** Whether all the days it asks for are of the window. */
function isInWindow({ from, to }: Pick<RequestFilter, 'from' | 'to'>, today: string): boolean {
  const days = windowOf(today)
  return isIsoDate(from) && isIsoDate(to) && from >= days.from && to <= days.to
}

/** Whether the CRM may know more than the device, which keeps a window of days. */
export function goesBeyondDevice(filter: RequestFilter, today: string): boolean {
  const { requestCode, locationName, customerName } = filter
  return (
    !isInWindow(filter, today) || [requestCode, locationName, customerName].some((text) => text.trim() !== '')
  )
}

/** The day that the night carries into what is chosen: 今日 and 今後7日間 keep what yesterday has not finished. */
export function carriedInto(choice: FilterChoice, nowMs: number): string | null {
  const quick = quickOf(choice)
  return quick === 'today' || quick === 'week' ? carriedDay(nowMs) : null
}

/** `11/20（金）〜11/26（木）`, or one day; '' where no day is given. */
export const rangeText = ({ from, to }: Pick<RequestFilter, 'from' | 'to'>, today: string): string =>
  from === '' && to === '' ? '' : dayRangeText(from, to, today)

/** The chosen 種別 by name; '' for all. */
export const orderFlagNames = ({ orderFlags }: Pick<RequestFilter, 'orderFlags'>) =>
  orderFlags.map((flag) => OrderFlagName.label(flag)).join('・')
