import { useNavigate } from '@tanstack/react-router'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import { useBackOr } from '#data/context/use-leave-form.ts'

type Place = Pick<QuickReportView, 'id' | 'requestId' | 'workingDate'>

/** Returns functions that leave a report's screen. All except `back` replace the history entry. */
export function useLeaveReport() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const toRequest = ({ requestId, workingDate }: Place) =>
    navigate({ to: '/request/$id', params: { id: requestId }, search: { workingDate }, replace: true })
  return {
    toRequest,
    toReport: ({ id }: Place) => navigate({ to: '/quickReport/$id', params: { id }, replace: true }),
    toList: () => navigate({ to: '/request', search: {}, replace: true }),
    /** Goes to the previous screen, or to the request if there is none. */
    back: (place: Place) => backOr(() => toRequest(place)),
  }
}
