import { useNavigate } from '@tanstack/react-router'
import type { SafetyMeasureView } from '#data/safety-measures.ts'
import { useBackOr } from '#data/use-back-or.ts'

/**
 * The ways out of a form of 安全対策.
 * @param place the visit it belongs to
 */
export function useLeave(
  { id: requestId, workingDate }: { id: string; workingDate: string },
  workingDateType: string | undefined,
) {
  const navigate = useNavigate()
  const backOr = useBackOr()
  const select = {
    params: { requestId },
    search: { workingDateType: workingDateType ?? '', workingDate },
  }
  return {
    /** Of a link to 安全対策選択. */
    select,
    toMeasure: ({ id }: SafetyMeasureView) =>
      navigate({ to: '/safetyMeasure/$id', params: { id }, replace: true }),
    /** To where one came from, else to 安全対策選択. */
    back: () => backOr(() => navigate({ to: '/safetyMeasure/select/$requestId', ...select, replace: true })),
  }
}
