import { shownVisit } from './shown-visit.ts'
import { useFreshDetail } from '#data/context/use-fresh-detail.ts'
import { useDayOpened } from '#data/context/use-now.ts'
import { useVisitsOfRequest } from './use-visits.ts'
import type { Visit } from './visits.ts'

/**
 * The visit that a request's screen shows. Requests it if it is not on the device.
 * @param workingDate from the URL; if absent or not a date, the next day from today on, else the last
 * @returns `loading`: it may still arrive; `missing`: the CRM has none; `absent`: it is not on the device
 */
export function useVisitOf(
  requestId: string,
  workingDate: string | undefined,
): Visit | 'loading' | 'missing' | 'absent' {
  const days = useVisitsOfRequest(requestId)
  const { visit, invalidDate } = shownVisit(days ?? [], workingDate, useDayOpened(requestId))
  const day = invalidDate ? undefined : workingDate
  const detailState = useFreshDetail(requestId, day ?? visit?.request.workingDate ?? '', days !== undefined)
  if (visit) return visit
  if (detailState === 'missing') return 'missing'
  return days === undefined || detailState === 'asked' ? 'loading' : 'absent'
}
