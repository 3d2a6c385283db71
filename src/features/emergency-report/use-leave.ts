import { useNavigate } from '@tanstack/react-router'
import { useBackOr } from '#data/context/use-leave-form.ts'

interface VisitOfReport {
  requestId: string
  workingDate: string
}

/** Returns functions that leave the form 緊急報告. `back` leads to the previous screen, or to 緊急報告一覧 if there is none. */
export function useLeaveEmergency() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const toList = ({ requestId, workingDate }: VisitOfReport) =>
    navigate({
      to: '/emergencyReport/$id',
      params: { id: requestId },
      search: { workingDate },
      replace: true,
    })
  return {
    toList,
    back: (visit: VisitOfReport) => backOr(() => toList(visit)),
  }
}
