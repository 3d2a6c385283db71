/** The rules of 現場メモ (spec 2): what the list needs to know, and which notes one may edit. */
import { NoteType, RegistrationStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'
import type { NoteView } from './note-view.ts'

/** The query of the list as it stands in the address. */
export interface NoteListSearch {
  type?: string
  requestId?: string
  workingDate?: string
}

/** What the list is of; null where type or workingDate make no sense: not-found. */
export function noteListOf(
  otherId: string,
  { type, requestId, workingDate }: NoteListSearch,
): { type: string; requestId: string; workingDate: string; areaId: string | null } | null {
  if (type === undefined || !NoteType.has(type)) return null
  if (workingDate === undefined || !isIsoDate(workingDate)) return null
  return { type, workingDate, requestId: requestId ?? otherId, areaId: requestId ? otherId : null }
}

/** 登録不可: no note can be registered through this request, those of its place can be read all the same. */
export const isClosed = (request: Pick<RequestRecord, 'noteLocationAreaStatus'> | null) =>
  request?.noteLocationAreaStatus === RegistrationStatus.code.notAllowed

/** One's own, of the list of type 1 (crm-contract 4). */
export const isEditable = ({ own, type }: Pick<NoteView, 'own' | 'type'>) =>
  own && type === NoteType.code.request
