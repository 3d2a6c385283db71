import { useFreshDetail } from '#data/use-fresh-detail.ts'
import { useVisitsOfRequest } from '#data/use-visits.ts'
import type { Visit } from '#data/visits.ts'

type Found = { kind: 'loading' | 'absent' | 'missing' } | { kind: 'visit'; visit: Visit }

/**
 * The visit of a day; what is not on the device is asked for once.
 * @returns missing: the CRM has no such request
 */
export function useSafetyVisit(requestId: string, workingDate: string): Found {
  const days = useVisitsOfRequest(requestId)
  const fresh = useFreshDetail(requestId, workingDate, days !== undefined)
  const visit = days?.find(({ request }) => request.workingDate === workingDate)
  if (visit) return { kind: 'visit', visit }
  if (fresh === 'missing') return { kind: 'missing' }
  return { kind: days === undefined || fresh === 'asked' ? 'loading' : 'absent' }
}
