/** 現場メモ as screens show them: the CRM's state with this device's unsent changes applied. */
import { map, type Observable } from 'rxjs'
import { loginUserId } from '#schemas/api-error.ts'
import { effectiveChanges, type SendState } from '#schemas/changes/change-queue.ts'
import { NoteOpenFlag, NoteType } from '#schemas/codes.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import { useLiveQuery, useSession } from '#data/context/app-context.tsx'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector } from '#data/database/find-by-id.ts'
import { viewsWithOutbox$, type Outbox, unsentOf } from '#data/outbox/outbox.ts'

export interface NoteView {
  record: NoteRecord
  /** The id in links: the CRM's id, or the local key before the CRM has the note. */
  id: string
  type: string
  /** Time of registration, ISO 8601. Before the CRM has the note, the time of saving. */
  at: string
  /** Author as company and person; null until the CRM has sent them. */
  by: string | null
  note: string
  own: boolean
  /** 非公開: hidden from other companies. False until the CRM has the note, because new notes are public. */
  closed: boolean
  /** Send state of the note and its photos; null if everything is sent. */
  unsent: SendState | null
}

/**
 * Returns the note that screens show: the CRM's text, or the user's newest edit. An edit that was refused or has
 * expired is left out, because 送信状況 shows it (sync RULES ST1).
 */
function noteView(record: NoteRecord, outbox: Outbox, userId: string): NoteView {
  const { key, server, serverId, changes } = record
  const isStopped = ({ id }: { id: string }) =>
    ['refused', 'expired', 'discarded'].includes(outbox.progress.get(id)?.state ?? '')
  const edits = effectiveChanges(changes)
  // Without a note in the CRM, even a refused or expired edit is shown, because there is no other text.
  const shownEdits = server ? edits.filter((edit) => !isStopped(edit)) : edits
  return {
    record,
    id: serverId || key,
    type: record.noteType || NoteType.code.request,
    at: server?.createdAt ?? changes[0]?.savedAt ?? '',
    by: server?.createdDisplayName ?? null,
    note: shownEdits.at(-1)?.fields.note ?? server?.note ?? '',
    // The CRM's answer to a new note names no author. Until the note is read from the CRM, it counts as the user's own.
    own: !server?.detailed || server.loginUserId === userId,
    closed: server?.openFlag === NoteOpenFlag.code.closed,
    unsent: unsentOf(outbox, 'noteLocationAreas', key)?.state ?? null,
  }
}

/** Returns the text that the edit form opens with: the user's latest text, even if the CRM refused it (内容を開く). */
export const typedNote = ({ changes, server }: NoteRecord): string =>
  effectiveChanges(changes).at(-1)?.fields.note ?? server?.note ?? ''

const byTime = (a: NoteView, b: NoteView) =>
  Date.parse(b.at) - Date.parse(a.at) || (a.record.key < b.record.key ? 1 : -1)

/** Emits both types of notes of an area, newest first. For a request without an area, only the request's own notes. */
function notesOfArea$(
  db: Database,
  areaId: string,
  requestId: string,
  userId: string,
): Observable<NoteView[]> {
  const selector = { locationAreaId: areaId, ...(areaId === '' && { requestId }) }
  return viewsWithOutbox$(db, 'noteLocationAreas', selector).pipe(
    map(([notes, outbox]) => notes.map((note) => noteView(note, outbox, userId)).toSorted(byTime)),
  )
}

/** Emits a note; null if it is not on the device. @param id the CRM's id or the local key */
const noteOf$ = (db: Database, id: string, userId: string): Observable<NoteView | null> =>
  viewsWithOutbox$(db, 'noteLocationAreas', idOrKeySelector(id)).pipe(
    map(([notes, outbox]) => {
      const note = findByIdOrKey(notes, id)
      return note ? noteView(note, outbox, userId) : null
    }),
  )

/** Interval in ms at which an open list is read again to show other people's new notes. */
const REFRESH_MS = 30_000

function useMyId(): string {
  const session = useSession()
  return session ? loginUserId(session.userInfo) : ''
}

/** Returns the notes of an area. While the list is visible and online, the app reads it again every REFRESH_MS. */
export function useNotesOfArea(areaId: string, requestId: string) {
  const me = useMyId()
  const list = useFetchedList(
    { collection: 'noteLocationAreas', owner: areaId, requestId },
    { ask: areaId !== '', everyMs: REFRESH_MS },
  )
  const notes = useLiveQuery(`notes of ${areaId} ${requestId} ${me}`, (db) =>
    notesOfArea$(db, areaId, requestId, me),
  )
  return { ...list, notes }
}

/** Returns a note by the CRM's id or the local key. Requests it from the CRM if it is not on the device. */
export function useNote(id: string) {
  const me = useMyId()
  const found = useLiveQuery(`note ${id} ${me}`, (db) => noteOf$(db, id, me))
  return useFetchedRecord('noteLocationAreas', id, found)
}
