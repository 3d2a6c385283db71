/** Rules of 現場メモ (spec 2): the parameters of the list, and which notes the user may edit. */
import { NoteType, RegistrationStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'
import type { NoteView } from './notes.ts'

export interface NoteListSearch {
  type?: string
  requestId?: string
  workingDate?: string
}

/**
 * Returns the parsed query of the list; null if the type or working day is invalid, which leads to not-found.
 * @param otherId id of the place; id of the request if the query names no request
 */
export function noteListOf(
  otherId: string,
  { type, requestId, workingDate }: NoteListSearch,
): { type: string; requestId: string; workingDate: string; areaId: string | null } | null {
  if (type === undefined || !NoteType.has(type)) return null
  if (workingDate === undefined || !isIsoDate(workingDate)) return null
  return { type, workingDate, requestId: requestId ?? otherId, areaId: requestId ? otherId : null }
}

/** 登録不可: the request allows no new notes. The notes of its place remain readable. */
export const isNoteClosed = (request: Pick<RequestRecord, 'noteLocationAreaStatus'> | null) =>
  request?.noteLocationAreaStatus === RegistrationStatus.code.notAllowed

/** True for the user's own notes in the list 依頼, which are the notes of type 1 (crm-contract 4). */
export const isEditable = ({ own, type }: Pick<NoteView, 'own' | 'type'>) =>
  own && type === NoteType.code.request
