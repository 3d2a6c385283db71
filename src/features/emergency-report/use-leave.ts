import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'

interface Place {
  requestId: string
  workingDate: string
}

/** Out of the form: to where one came from, else to 緊急報告一覧. */
export function useLeave() {
  const navigate = useNavigate()
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  const toList = ({ requestId, workingDate }: Place) =>
    navigate({
      to: '/emergencyReport/$id',
      params: { id: requestId },
      search: { workingDate },
      replace: true,
    })
  return {
    toList,
    back: (place: Place) => (canGoBack ? Promise.resolve(history.back()) : toList(place)),
  }
}
