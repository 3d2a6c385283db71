import { NoteType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

/** Returns the URL path of 現場メモ一覧 for the request's place, or for the request if the place is unknown. */
export function notesPath(
  { id, locationAreaId, workingDate }: Pick<RequestRecord, 'id' | 'locationAreaId' | 'workingDate'>,
  type: string = NoteType.code.request,
): string {
  const query = new URLSearchParams({ type, ...(locationAreaId && { requestId: id }), workingDate })
  return `/noteLocationArea/${encodeURIComponent(locationAreaId || id)}?${query.toString()}`
}
