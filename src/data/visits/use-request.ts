import type { RequestRecord } from '#schemas/resources/request.ts'
import { useFreshDetail } from '#data/context/use-fresh-detail.ts'
import { useDayOpened } from '#data/context/use-now.ts'
import { useVisitsOfRequest } from './use-visits.ts'

/**
 * The request that a form is opened for: its next day from today on, else its last (crm-contract 4). Requests
 * it if it is not on the device.
 * @returns `loading`: it may still arrive; `missing`: the CRM has none; `absent`: it is not on the device
 */
export function useRequest(id: string): RequestRecord | 'loading' | 'missing' | 'absent' {
  const today = useDayOpened(id)
  const days = useVisitsOfRequest(id)
  const visit = days?.find(({ request }) => request.workingDate >= today) ?? days?.at(-1)
  const detailState = useFreshDetail(id, visit?.request.workingDate ?? '', days !== undefined)
  if (visit) return visit.request
  if (detailState === 'missing') return 'missing'
  return days === undefined || detailState === 'asked' ? 'loading' : 'absent'
}
