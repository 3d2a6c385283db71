/** A note as displayed: the confirmed state of the CRM, overlaid with unsent changes. */
import { map, type Observable } from 'rxjs'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { NoteOpenFlag, NoteType } from '#schemas/codes.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey, idOrKeySelector } from '#data/database/find-by-id.ts'
import { viewsWithOutbox$, type Outbox } from '#data/outbox/outbox.ts'
import type { SendState } from '#schemas/changes/change-queue.ts'
import { unsentOf } from '#data/outbox/unsent.ts'

export interface NoteView {
  record: NoteRecord
  /** Id for links: the CRM's id, or the local key. Lookups accept both. */
  id: string
  type: string
  /** Time of registration, ISO 8601; time of saving if the CRM does not have the note yet. */
  at: string
  /** Company and person; null until the CRM has sent them. */
  by: string | null
  note: string
  own: boolean
  /** 非公開: hidden from other companies. False for a note that only this device has, because new notes are public. */
  closed: boolean
  /** Send state of the note and its photos; null if everything is sent. */
  unsent: SendState | null
}

/** Shows the CRM's text if an edit was refused or has expired; the edit is in 送信状況 (sync RULES ST1). */
function noteView(record: NoteRecord, outbox: Outbox, loginUserId: string): NoteView {
  const { key, server, serverId, changes } = record
  const counts = effectiveChanges(changes).filter(({ id }) => {
    const state = outbox.progress.get(id)?.state
    return !server || (state !== 'refused' && state !== 'expired' && state !== 'discarded')
  })
  return {
    record,
    id: serverId || key,
    type: record.noteType || NoteType.code.request,
    at: server?.createdAt ?? changes[0]?.savedAt ?? '',
    by: server?.createdDisplayName ?? null,
    note: counts.at(-1)?.fields.note ?? server?.note ?? '',
    // A note that was sent from here and not read back has no author yet.
    own: !server?.detailed || server.loginUserId === loginUserId,
    closed: server?.openFlag === NoteOpenFlag.code.closed,
    unsent: unsentOf(outbox, 'noteLocationAreas', key)?.state ?? null,
  }
}

/** Returns the latest typed text, even if the CRM refused it. The form opens with it (内容を開く). */
export const typedNote = ({ changes, server }: NoteRecord): string =>
  effectiveChanges(changes).at(-1)?.fields.note ?? server?.note ?? ''

/** Newest first. */
const byTime = (a: NoteView, b: NoteView) =>
  Date.parse(b.at) - Date.parse(a.at) || (a.record.key < b.record.key ? 1 : -1)

/** The notes of an area, both types, newest first. If the request has no area, only the request's notes. */
export function notesOfArea$(
  db: Database,
  areaId: string,
  requestId: string,
  loginUserId: string,
): Observable<NoteView[]> {
  const selector = { locationAreaId: areaId, ...(areaId === '' && { requestId }) }
  return viewsWithOutbox$(db, 'noteLocationAreas', selector).pipe(
    map(([notes, outbox]) => notes.map((note) => noteView(note, outbox, loginUserId)).toSorted(byTime)),
  )
}

/** @param id the CRM's id or the local key @returns null if the note is not on the device */
export const noteOf$ = (db: Database, id: string, loginUserId: string): Observable<NoteView | null> =>
  viewsWithOutbox$(db, 'noteLocationAreas', idOrKeySelector(id)).pipe(
    map(([notes, outbox]) => {
      const note = findByIdOrKey(notes, id)
      return note ? noteView(note, outbox, loginUserId) : null
    }),
  )
