/** Decides if an empty search result is certain, so that the screen may say "no results" (sync RULES PL4, EX1). */
import { EXPIRY_MS, ROW_CONFIRM_MS, WINDOW_DAYS_AHEAD } from '#schemas/limits.ts'
import { useLiveQuery, useOnline } from '#data/context/app-context.tsx'
import { windowRead$, type WindowRead } from '#data/fetch-requests/interests.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { addDays, tokyoToday } from '#lib/time/tokyo-time.ts'
import { daysOf } from './days.ts'
import { carriedInto, filterOf, goesBeyondDevice, type FilterChoice } from './filter.ts'
import { useReach } from './use-reach.ts'

/**
 * Why an empty result is uncertain. `looking`: the device is being read. `reading`: the CRM is being read. `failed`:
 * the CRM could not answer. `absent`: the days are not on the device, and the device is offline.
 */
export interface UnreadDays {
  state: 'looking' | 'reading' | 'failed' | 'absent'
  /** True if the device hides matching requests, because the CRM has not confirmed them for a day. */
  isOld: boolean
}

interface Searched {
  choice: FilterChoice
  today: string
  list: VisitList
}

/**
 * Returns why an empty result is uncertain. Null if the result is certain, or if a line above the result says that only
 * the device was searched (`ReachLine`).
 * @param wall the device's clock in epoch ms, by which `windowRead` is dated too
 */
export function useUnread(
  { choice, today, list }: Searched,
  { now, wall }: { now: number; wall: number },
): UnreadDays | null {
  const online = useOnline()
  const windowRead = useLiveQuery('window read', windowRead$)
  const filter = filterOf(choice, today)
  const reach = useReach(filter, today)
  const carried = carriedInto(choice, now)
  const before = carried === null ? null : { date: carried, stateOf: list.stateOf }
  // This hook runs only if no result is visible. Any match is therefore hidden by its age.
  const isOld = daysOf(list, filter, before).length > 0
  const state = online ? 'reading' : 'absent'
  if (isOld) return { state, isOld }
  if (reach === 'failed') return { state: 'failed', isOld }
  if (goesBeyondDevice(filter, today)) return reach === 'asking' ? { state, isOld } : null
  if (windowRead === undefined) return { state: 'looking', isOld }
  if (!isWindowKnown(windowRead, filter.to, wall)) return { state, isOld }
  const hasUnread = windowRead?.unreadDays.some((day) => filter.from <= day && day <= filter.to)
  return hasUnread ? { state: 'failed', isOld } : null
}

/**
 * True if the device keeps all days up to `to`, and read them so recently that no row has expired.
 * @param read the last complete reading of the days that the device keeps; null if there was none
 */
function isWindowKnown(read: WindowRead | null, to: string, now: number): boolean {
  const readMs = Date.parse(read?.at ?? '')
  if (Number.isNaN(readMs)) return false
  // A row's `confirmedAt` is rewritten only every ROW_CONFIRM_MS. It may therefore lie up to ROW_CONFIRM_MS before the
  // last reading of all days.
  const isFresh = now - readMs < EXPIRY_MS - ROW_CONFIRM_MS
  return isFresh && to <= addDays(tokyoToday(readMs), WINDOW_DAYS_AHEAD)
}
