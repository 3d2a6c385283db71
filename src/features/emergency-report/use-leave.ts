import { useNavigate } from '@tanstack/react-router'
import { useBackOr } from '#data/context/use-leave-form.ts'

interface VisitOfReport {
  requestId: string
  workingDate: string
}

/** Returns the functions that leave the form 緊急報告. `back` opens the previous screen, or 緊急報告一覧 if the history has none. */
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
