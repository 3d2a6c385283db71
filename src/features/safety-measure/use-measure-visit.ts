import type { SafetyMeasureView } from '#data/safety-measures.ts'
import { useVisitsOfRequest } from '#data/use-visits.ts'
import type { Visit } from '#data/visits.ts'

/** The visit a measure belongs to; undefined until it was read, null where the request is not on the device. */
export function useMeasureVisit({ requestId, workingDate }: SafetyMeasureView): Visit | null | undefined {
  const days = useVisitsOfRequest(requestId)
  return days && (days.find(({ request }) => request.workingDate === workingDate) ?? null)
}
