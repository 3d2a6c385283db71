import type { RequestRecord } from '#schemas/request.ts'
import { safetyStatus } from '#data/safety-measures.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'

/** 安全対策 of a visit in one word, and whether something of it still travels. */
export function useSafetyStatus(request: RequestRecord): { status: string | null; unsent: boolean } {
  const rows = useSafetyRows(request) ?? []
  const unsent = rows.some(({ measure }) => measure?.state === 'waiting' || measure?.state === 'sending')
  return { status: safetyStatus(request, rows), unsent }
}
