import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'

/** Out of a form of a request: to where one came from, else to the request. Takes the form's place in history. */
export function useLeaveForm(): (requestId: string) => Promise<void> {
  const navigate = useNavigate()
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  return async (requestId) => {
    if (canGoBack) history.back()
    else await navigate({ to: '/request/$id', params: { id: requestId }, search: {}, replace: true })
  }
}
