/** Decides whether an empty search result may be reported as "no results" (sync RULES PL4, EX1). */
import { EXPIRY_MS, ROW_CONFIRM_MS, WINDOW_DAYS_AHEAD } from '#schemas/limits.ts'
import { useLiveQuery, useOnline } from '#data/context/app-context.tsx'
import { windowRead$, type WindowRead } from '#data/fetch-requests/interests.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { addDays, tokyoToday } from '#lib/time/tokyo-time.ts'
import { daysOf } from './days.ts'
import { carriedInto, filterOf, goesBeyondDevice, type FilterChoice } from './filter.ts'
import { useReach } from './use-reach.ts'

/**
 * looking: the device is being read. reading: the CRM is being asked. failed: the CRM could not respond. absent: not on
 * the device, and offline. `isOld`: on the device, but not confirmed for a day.
 */
export interface UnreadDays {
  state: 'looking' | 'reading' | 'failed' | 'absent'
  isOld: boolean
}

interface Searched {
  choice: FilterChoice
  today: string
  list: VisitList
}

/**
 * Returns why an empty result is not certain.
 * @param wall the device's own clock, which also stamped the window; epoch ms
 * @returns null if everything was read, or if the CRM was not asked for what is not on the device
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
  // Nothing is shown, so every match is hidden because of its age.
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
 * True if the window was read recently enough that nothing has expired, and includes this day.
 * @param read null if never read
 */
function isWindowKnown(read: WindowRead | null, to: string, now: number): boolean {
  const at = Date.parse(read?.at ?? '')
  if (Number.isNaN(at)) return false
  // Unchanged rows are confirmed only once an hour, so they expire that much earlier.
  const isFresh = now - at < EXPIRY_MS - ROW_CONFIRM_MS
  return isFresh && to <= addDays(tokyoToday(at), WINDOW_DAYS_AHEAD)
}
