/** Says why a search has no results: the conditions that leave it empty, or data that was not read (sync RULES PL4, EX1). */
import { EXPIRY_MS, ROW_CONFIRM_MS, WINDOW_DAYS_AHEAD } from '#schemas/limits.ts'
import { matcherOf } from '#schemas/resources/request-search.ts'
import { isBlank } from '#schemas/text.ts'
import { useLiveQuery, useOnline } from '#data/context/app-context.tsx'
import { windowRead$, type WindowRead } from '#data/fetch-requests/interests.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { addDays, tokyoToday } from '#lib/time/tokyo-time.ts'
import { daysOf } from './days.ts'
import { carriedInto, filterOf, goesBeyondDevice, quickOf, type FilterChoice } from './filter.ts'
import { useReach } from './use-search.ts'

export interface Without {
  condition: 'requestCode' | 'locationName' | 'customerName' | 'orderFlags' | 'emergencyOnly' | 'days'
  choice: FilterChoice
  /** Number of results on the device; greater than 0. */
  found: number
}

/** Returns the searches without one set condition, in the order in which they are offered. */
function searchesWithoutOne(choice: FilterChoice): Omit<Without, 'found'>[] {
  const texts = (['requestCode', 'locationName', 'customerName'] as const).filter(
    (name) => !isBlank(choice[name]),
  )
  const all = { ...choice, quick: '' as const, from: '', to: '' }
  return [
    ...texts.map((condition) => ({ condition, choice: { ...choice, [condition]: '' } })),
    ...(choice.orderFlags.length > 0
      ? [{ condition: 'orderFlags' as const, choice: { ...choice, orderFlags: [] } }]
      : []),
    ...(choice.emergencyOnly
      ? [{ condition: 'emergencyOnly' as const, choice: { ...choice, emergencyOnly: false } }]
      : []),
    // A quick range is replaced by 今後7日間, and by all days if that has no results either.
    ...(quickOf(choice) === null
      ? []
      : [{ condition: 'days' as const, choice: { ...choice, quick: 'week' as const } }]),
    { condition: 'days', choice: all },
  ]
}

/** Returns the searches that have results after removing one condition. @param rows only those that are not too old */
export function emptiedBy(
  { rows, fold }: Pick<VisitList, 'rows' | 'fold'>,
  choice: FilterChoice,
  today: string,
): Without[] {
  const found = searchesWithoutOne(choice)
    .map((each) => ({ ...each, found: rows.filter(matcherOf(filterOf(each.choice, today), fold)).length }))
    .filter((each) => each.found > 0)
  return found.filter(({ condition }, index) => condition !== found[index - 1]?.condition)
}

/**
 * Why an empty result is uncertain. `looking`: the device is being read. `reading`: the CRM is being read. `failed`:
 * the CRM could not answer. `absent`: the days are not on the device.
 */
export interface UnreadDays {
  state: 'looking' | 'reading' | 'failed' | 'absent'
  /** True if the device hides matching requests, because the CRM has not confirmed them for a day. */
  isOld: boolean
}

/**
 * Returns why an empty result is uncertain; null if it is certain or if `ReachLine` says that only the device was
 * searched.
 * @param wall the device's clock in epoch ms, by which `windowRead` is dated too
 */
export function useUnread(
  { choice, today, list }: { choice: FilterChoice; today: string; list: VisitList },
  { now, wall }: { now: number; wall: number },
): UnreadDays | null {
  const online = useOnline()
  const windowRead = useLiveQuery('window read', windowRead$)
  const filter = filterOf(choice, today)
  const reach = useReach(filter, today)
  // This hook runs only if no result is visible. Any match is therefore hidden by its age.
  const isOld = daysOf(list, filter, carriedInto(choice, now)).length > 0
  const state = online ? 'reading' : 'absent'
  if (isOld) return { state, isOld }
  if (reach === 'failed') return { state: 'failed', isOld }
  if (goesBeyondDevice(filter, today)) return reach === 'asking' ? { state, isOld } : null
  if (windowRead === undefined) return { state: 'looking', isOld }
  if (!isWindowKnown(windowRead, filter.to, wall)) return { state, isOld }
  const hasUnread = windowRead?.unreadDays.some((day) => filter.from <= day && day <= filter.to)
  return hasUnread ? { state: 'failed', isOld } : null
}

/** True if the device keeps all days up to `to`, and read them so recently that no row has expired. */
function isWindowKnown(read: WindowRead | null, to: string, now: number): boolean {
  const readMs = Date.parse(read?.at ?? '')
  if (Number.isNaN(readMs)) return false
  // A row's `confirmedAt` is rewritten only every ROW_CONFIRM_MS, so it may be that much older than the last reading.
  const isFresh = now - readMs < EXPIRY_MS - ROW_CONFIRM_MS
  return isFresh && to <= addDays(tokyoToday(readMs), WINDOW_DAYS_AHEAD)
}
