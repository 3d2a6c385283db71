import { NoteType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'

/**
 * 現場メモ一覧 of the request's location; of the request itself, without `requestId`, where it does not say where it is.
 * @param type which of the two lists opens: those of requests where left out
 */
export function notesPath(
  { id, locationAreaId, workingDate }: Pick<RequestRecord, 'id' | 'locationAreaId' | 'workingDate'>,
  type: string = NoteType.code.request,
): string {
  const query = new URLSearchParams({ type, ...(locationAreaId && { requestId: id }), workingDate })
  return `/noteLocationArea/${encodeURIComponent(locationAreaId || id)}?${query.toString()}`
}
