import { useNavigate } from '@tanstack/react-router'
import { useBackOr } from '#data/context/use-back-or.ts'

/**
 * Out of what hangs on a request, a form or a view: to where one came from, which may be another day of it than the next, else
 * to the request. Takes its place in history.
 */
export function useLeaveForm(): (requestId: string) => Promise<void> {
  const navigate = useNavigate()
  const backOr = useBackOr()
  return (requestId) =>
    backOr(() => navigate({ to: '/request/$id', params: { id: requestId }, search: {}, replace: true }))
}
