/** 現場メモ as screens show them: the CRM's state with this device's unsent changes applied. And their rules (spec 2). */
import { map } from 'rxjs'
import { loginUserId } from '#schemas/api-error.ts'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { NoteOpenFlag, NoteType, RegistrationStatus } from '#schemas/codes.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery, useSession } from '#data/context/app-context.tsx'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { shownChanges } from '#data/database/counting.ts'
import { findByIdOrKey, idOrKeySelector } from '#data/database/find-by-id.ts'
import { type Outbox, unsentOf, viewsWithOutbox$ } from '#data/outbox/outbox.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'

export type NoteView = ReturnType<typeof noteView>

/** Returns the CRM's text, or the user's newest edit. 送信状況 shows a refused or expired edit (sync RULES ST1). */
function noteView(record: NoteRecord, outbox: Outbox, userId: string) {
  const { key, server, serverId, changes } = record
  const edits = effectiveChanges(changes)
  // Without a note in the CRM, even a refused or expired edit is shown, because there is no other text.
  const shownEdits = server ? shownChanges(edits, outbox.progress) : edits
  return {
    record,
    /** The id in links: the CRM's id, or the local key before the CRM has the note. */
    id: serverId || key,
    type: record.noteType || NoteType.code.request,
    /** Time of registration, ISO 8601. Before the CRM has the note, the time of saving. */
    at: server?.createdAt ?? changes[0]?.savedAt ?? '',
    /** Author as company and person; null until the CRM has sent them. */
    by: server?.createdDisplayName ?? null,
    note: shownEdits.at(-1)?.fields.note ?? server?.note ?? '',
    // The CRM's answer to a new note names no author. Until the note is read from the CRM, it counts as the user's own.
    own: !server?.detailed || server.loginUserId === userId,
    /** 非公開: hidden from other companies. False until the CRM has the note, because new notes are public. */
    closed: server?.openFlag === NoteOpenFlag.code.closed,
    unsent: unsentOf(outbox, 'noteLocationAreas', key)?.state ?? null,
  }
}

const byTime = (a: NoteView, b: NoteView) =>
  Date.parse(b.at) - Date.parse(a.at) || (a.record.key < b.record.key ? 1 : -1)

const REFRESH_MS = 30_000

function useMyId(): string {
  const session = useSession()
  return session ? loginUserId(session.userInfo) : ''
}

/** Returns the notes of an area, or of a request without an area, newest first. Online they are read every REFRESH_MS. */
export function useNotesOfArea(areaId: string, requestId: string) {
  const me = useMyId()
  const list = useFetchedList(
    { collection: 'noteLocationAreas', owner: areaId, requestId },
    { ask: areaId !== '', everyMs: REFRESH_MS },
  )
  const selector = { locationAreaId: areaId, ...(areaId === '' && { requestId }) }
  const notes = useLiveQuery(`notes of ${areaId} ${requestId} ${me}`, (db) =>
    viewsWithOutbox$(db, 'noteLocationAreas', selector).pipe(
      map(([records, outbox]) => records.map((record) => noteView(record, outbox, me)).toSorted(byTime)),
    ),
  )
  return { ...list, notes }
}

/** Returns a note by the CRM's id or the local key. Requests it from the CRM if it is not on the device. */
export function useNote(id: string) {
  const me = useMyId()
  const found = useLiveQuery(`note ${id} ${me}`, (db) =>
    viewsWithOutbox$(db, 'noteLocationAreas', idOrKeySelector(id)).pipe(
      map(([records, outbox]) => {
        const record = findByIdOrKey(records, id)
        return record ? noteView(record, outbox, me) : null
      }),
    ),
  )
  return useFetchedRecord('noteLocationAreas', id, found)
}

export interface NoteListSearch {
  type?: string
  requestId?: string
  workingDate?: string
}

/** Returns the parsed query; null leads to not-found. @param otherId id of the place, or of the request if none is named */
export function noteListOf(otherId: string, { type, requestId, workingDate }: NoteListSearch) {
  if (!NoteType.has(type) || workingDate === undefined || !isIsoDate(workingDate)) return null
  return { type, workingDate, requestId: requestId ?? otherId, areaId: requestId ? otherId : null }
}

/** 登録不可: the request allows no new notes. The notes of its place remain readable. */
export const isNoteClosed = (request: Pick<RequestRecord, 'noteLocationAreaStatus'> | null) =>
  request?.noteLocationAreaStatus === RegistrationStatus.code.notAllowed

/** True for the user's own notes in the list 依頼, which are the notes of type 1 (crm-contract 4). */
export const isEditable = ({ own, type }: Pick<NoteView, 'own' | 'type'>) =>
  own && type === NoteType.code.request
