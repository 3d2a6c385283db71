import { useNavigate } from '@tanstack/react-router'
import { useBackOr } from '#data/context/use-leave-form.ts'

interface Place {
  requestId: string
  workingDate: string
}

/** Returns functions that leave the form: back to the previous screen, or to 緊急報告一覧 if there is none. */
export function useLeaveEmergency() {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const toList = ({ requestId, workingDate }: Place) =>
    navigate({
      to: '/emergencyReport/$id',
      params: { id: requestId },
      search: { workingDate },
      replace: true,
    })
  return {
    toList,
    back: (place: Place) => backOr(() => toList(place)),
  }
}
