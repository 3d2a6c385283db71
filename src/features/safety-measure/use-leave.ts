import { useNavigate } from '@tanstack/react-router'
import type { SafetyMeasureView } from '#data/resources/safety-measures.ts'
import { useBackOr } from '#data/context/use-leave-form.ts'

/**
 * Returns functions that leave a form of 安全対策.
 * @param workingDateType kind of the working day (spec 2) for the URL of 安全対策選択
 */
export function useLeaveSafety(
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
    /** Properties of a link to 安全対策選択. */
    select,
    toMeasure: ({ id }: SafetyMeasureView) =>
      navigate({ to: '/safetyMeasure/$id', params: { id }, replace: true }),
    /** Opens the previous screen, or 安全対策選択 if the history has none. */
    back: () => backOr(() => navigate({ to: '/safetyMeasure/select/$requestId', ...select, replace: true })),
  }
}
