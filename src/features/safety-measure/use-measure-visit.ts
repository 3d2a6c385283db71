import type { SafetyMeasureView } from '#data/resources/safety-measures.ts'
import { useItsRequest, useVisitsOfRequest } from '#data/visits/use-visits.ts'
import type { Visit } from '#data/visits/visits.ts'

/** Returns the visit of a measure; undefined while the visit is being read, null if the visit is not on the device. */
export function useMeasureVisit({ requestId, workingDate }: SafetyMeasureView): Visit | null | undefined {
  const days = useVisitsOfRequest(requestId)
  const visit = days && (days.find(({ request }) => request.workingDate === workingDate) ?? null)
  // Requests the visit from the CRM if the device does not have it.
  const isWaiting = useItsRequest(days ? { requestId, workingDate } : null, visit !== null)
  return isWaiting ? undefined : visit
}
