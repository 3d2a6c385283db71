import { NoteType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

/**
 * Returns the URL of 現場メモ一覧 for the request's location; if the location is unknown, for the request itself, without
 * `requestId`.
 * @param type the list that opens; the notes on requests if omitted
 */
export function notesPath(
  { id, locationAreaId, workingDate }: Pick<RequestRecord, 'id' | 'locationAreaId' | 'workingDate'>,
  type: string = NoteType.code.request,
): string {
  const query = new URLSearchParams({ type, ...(locationAreaId && { requestId: id }), workingDate })
  return `/noteLocationArea/${encodeURIComponent(locationAreaId || id)}?${query.toString()}`
}
