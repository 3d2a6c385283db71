import { shownVisit } from './shown-visit.ts'
import { useFreshDetail } from '#data/context/use-fresh-detail.ts'
import { useDayOpened } from '#data/context/use-now.ts'
import { useVisitsOfRequest } from './use-visits.ts'
import type { Visit } from './visits.ts'

/**
 * The visit that a screen of a request is about. One that is not on the device is asked for.
 * @param workingDate from the address; without one, or with one that is none, the next day from today on, else the last
 * @returns loading: it may still come; missing: the CRM has none; absent: it is not on the device
 */
export function useVisitOf(
  requestId: string,
  workingDate: string | undefined,
): Visit | 'loading' | 'missing' | 'absent' {
  const days = useVisitsOfRequest(requestId)
  const { visit, invalidDate } = shownVisit(days ?? [], workingDate, useDayOpened(requestId))
  const day = invalidDate ? undefined : workingDate
  const fresh = useFreshDetail(requestId, day ?? visit?.request.workingDate ?? '', days !== undefined)
  if (visit) return visit
  if (fresh === 'missing') return 'missing'
  return days === undefined || fresh === 'asked' ? 'loading' : 'absent'
}
