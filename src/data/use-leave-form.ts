import { useNavigate } from '@tanstack/react-router'
import { useBackOr } from './use-back-or.ts'

/** Out of a form of a request: to where one came from, else to the request. Takes the form's place in history. */
export function useLeaveForm(): (requestId: string) => Promise<void> {
  const navigate = useNavigate()
  const backOr = useBackOr()
  return (requestId) =>
    backOr(() => navigate({ to: '/request/$id', params: { id: requestId }, search: {}, replace: true }))
}
