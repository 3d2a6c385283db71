import { useNavigate } from '@tanstack/react-router'
import { useBackOr } from '#data/context/use-back-or.ts'

/**
 * Returns a function that leaves a form or record for the previous screen if that was in the app, else for
 * the request. The previous screen may show another day than the request opens with. The form's history entry
 * is replaced.
 */
export function useLeaveForm(): (requestId: string) => Promise<void> {
  const navigate = useNavigate()
  const backOr = useBackOr()
  return (requestId) =>
    backOr(() => navigate({ to: '/request/$id', params: { id: requestId }, search: {}, replace: true }))
}
