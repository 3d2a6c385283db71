import { useNavigate } from '@tanstack/react-router'
import type { QuickReportView } from '#data/visits/quick-report-view.ts'
import { useBackOr } from '#data/context/use-leave-form.ts'

type ReportLocation = Pick<QuickReportView, 'id' | 'requestId' | 'workingDate'>

/** Returns functions that leave a screen of 退館報告. All except `back` replace the screen's history entry. */
export function useLeaveReport() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const toRequest = ({ requestId, workingDate }: ReportLocation) =>
    navigate({ to: '/request/$id', params: { id: requestId }, search: { workingDate }, replace: true })
  return {
    toRequest,
    toReport: ({ id }: ReportLocation) => navigate({ to: '/quickReport/$id', params: { id }, replace: true }),
    toList: () => navigate({ to: '/request', search: {}, replace: true }),
    /** Opens the previous screen, or the request if the history has none. */
    back: (report: ReportLocation) => backOr(() => toRequest(report)),
  }
}
