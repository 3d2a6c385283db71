import { useNavigate } from '@tanstack/react-router'
import type { QuickReportView } from '#data/quick-report-view.ts'
import { useBackOr } from '#data/use-back-or.ts'

type Place = Pick<QuickReportView, 'id' | 'requestId' | 'workingDate'>

/** The ways out of a report's screen. All but `back` take the screen's place in history. */
export function useLeave() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const toRequest = ({ requestId, workingDate }: Place) =>
    navigate({ to: '/request/$id', params: { id: requestId }, search: { workingDate }, replace: true })
  return {
    toRequest,
    toReport: ({ id }: Place) => navigate({ to: '/quickReport/$id', params: { id }, replace: true }),
    toList: () => navigate({ to: '/request', search: {}, replace: true }),
    /** To where one came from, else to the request. */
    back: (place: Place) => backOr(() => toRequest(place)),
  }
}
