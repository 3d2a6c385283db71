/** Why a search that shows nothing may not say that there is none (sync RULES PL4, EX1). */
import { EXPIRY_MS, ROW_CONFIRM_MS, WINDOW_DAYS_AHEAD } from '#schemas/limits.ts'
import { useLiveQuery, useOnline } from '#data/app-context.tsx'
import { windowRead$, type WindowRead } from '#data/interests.ts'
import type { VisitList } from '#data/visits.ts'
import { addDays, tokyoToday } from '#lib/time/tokyo-time.ts'
import { daysOf } from './days.ts'
import { carriedInto, filterOf, goesBeyondDevice, type FilterChoice } from './filter.ts'
import { useReach } from './use-reach.ts'

/**
 * looking: the device is being read; reading: the CRM is being asked; failed: it could not say; absent: it is not on the
 * device, and there is no signal. `isOld`: it is there, but nobody has confirmed it for a day.
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
 * @param wall by the device's own clock, which has stamped when the window was read, epoch ms
 * @returns null where all of it was read and could be, or where the CRM was not asked for what goes beyond the device
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
  // nothing of it is shown, so all that is found is hidden for its age
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
 * Whether the window was read so lately that nothing of it has expired, and reached this day.
 * @param read null: never
 */
function isWindowKnown(read: WindowRead | null, to: string, now: number): boolean {
  const at = Date.parse(read?.at ?? '')
  if (Number.isNaN(at)) return false
  // a row that reads as before is confirmed once an hour: it leaves the device by so much earlier
  const isFresh = now - at < EXPIRY_MS - ROW_CONFIRM_MS
  return isFresh && to <= addDays(tokyoToday(at), WINDOW_DAYS_AHEAD)
}
