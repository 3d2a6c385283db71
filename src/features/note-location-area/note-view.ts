/** A note as a person sees it: what the CRM confirmed, and over it what was saved here and still travels. */
import { combineLatest, map, type Observable } from 'rxjs'
import { effectiveChanges } from '#schemas/change-queue.ts'
import { NoteOpenFlag, NoteType } from '#schemas/codes.ts'
import type { NoteRecord } from '#schemas/note-location-area.ts'
import type { Database } from '#data/database.ts'
import { findByIdOrKey, idOrKeySelector } from '#data/find-by-id.ts'
import { outbox$, type Outbox } from '#data/outbox.ts'
import type { SendState } from '#schemas/change-queue.ts'
import { unsentOf } from '#data/unsent.ts'

export interface NoteView {
  record: NoteRecord
  /** For links: the CRM's id, else the local key; both are found. */
  id: string
  type: string
  /** ISO 8601: when it was registered; of one that the CRM does not have yet, when it was saved. */
  at: string
  /** Company and person; null while only the CRM knows. */
  by: string | null
  note: string
  own: boolean
  /** 非公開: other companies do not see it. False while only this device has it: what is registered here is open. */
  closed: boolean
  /** Where the note and its photos stand; null when all is sent. */
  unsent: SendState | null
}

/** A refused or expired edit waits in 送信状況; what is shown is what the CRM has (sync RULES ST1). */
function noteView(record: NoteRecord, outbox: Outbox, loginUserId: string): NoteView {
  const { key, server, serverId, changes } = record
  const counts = effectiveChanges(changes).filter(({ id }) => {
    const state = outbox.ledger.get(id)?.state
    return !server || (state !== 'refused' && state !== 'expired' && state !== 'discarded')
  })
  return {
    record,
    id: serverId || key,
    type: record.noteType || NoteType.code.request,
    at: server?.createdAt ?? changes[0]?.savedAt ?? '',
    by: server?.createdDisplayName ?? null,
    note: counts.at(-1)?.fields.note ?? server?.note ?? '',
    // one that was only sent from here was not read yet, so nobody has said who wrote it
    own: !server?.detailed || server.loginUserId === loginUserId,
    closed: server?.openFlag === NoteOpenFlag.code.closed,
    unsent: unsentOf(outbox, 'noteLocationAreas', key)?.state ?? null,
  }
}

/** What was typed last, also where the CRM refused it: a form opens with it (内容を開く). */
export const typedNote = ({ changes, server }: NoteRecord): string =>
  effectiveChanges(changes).at(-1)?.fields.note ?? server?.note ?? ''

/** Newest first. */
const byTime = (a: NoteView, b: NoteView) =>
  Date.parse(b.at) - Date.parse(a.at) || (a.record.key < b.record.key ? 1 : -1)

/** The notes of an area, both types, newest first; of the request alone where it does not say where it is. */
export function notesOfArea$(
  db: Database,
  areaId: string,
  requestId: string,
  loginUserId: string,
): Observable<NoteView[]> {
  const selector = { locationAreaId: areaId, ...(areaId === '' && { requestId }) }
  return combineLatest([db.noteLocationAreas.find({ selector }).$, outbox$(db)]).pipe(
    map(([docs, outbox]) =>
      docs.map((doc) => noteView(doc.toMutableJSON(), outbox, loginUserId)).toSorted(byTime),
    ),
  )
}

/**
 * @param id the CRM's id or the local key
 * @returns null where the device has no such note
 */
export const noteOf$ = (db: Database, id: string, loginUserId: string): Observable<NoteView | null> =>
  combineLatest([db.noteLocationAreas.find({ selector: idOrKeySelector(id) }).$, outbox$(db)]).pipe(
    map(([docs, outbox]) => {
      const doc = findByIdOrKey(docs, id)
      return doc ? noteView(doc.toMutableJSON(), outbox, loginUserId) : null
    }),
  )
