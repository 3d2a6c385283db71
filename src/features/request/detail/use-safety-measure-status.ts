import type { SendState } from '#schemas/changes/change-queue.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { safetyStatus, useSafetyRows } from '#data/resources/safety-measures.ts'
import { mostUrgent } from '#data/outbox/outbox.ts'

/** Returns the visit's status of 安全対策 as a code of `SafetyStatus`, and the send state of its unsent measures. */
export function useSafetyStatus(request: RequestRecord): { status: string | null; unsent: SendState | null } {
  const rows = useSafetyRows(request) ?? []
  const states = rows.flatMap(({ measure }) => (measure?.unsent ? [{ state: measure.unsent }] : []))
  return { status: safetyStatus(request, rows), unsent: mostUrgent(states)?.state ?? null }
}
