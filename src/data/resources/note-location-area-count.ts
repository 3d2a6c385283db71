/**
 * The number of notes about a request's place. It starts from the number in the request's row or the number of notes
 * that were read, whichever is higher, and adds notes of this device that the CRM has not returned yet.
 */
import { map, type Observable } from 'rxjs'
import { effectiveChanges, type SendState } from '#schemas/changes/change-queue.ts'
import { RegistrationStatus } from '#schemas/codes.ts'
import type { NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { shownChanges } from '#data/database/counting.ts'
import type { Database } from '#data/database/database.ts'
import { viewsWithOutbox$, type Outbox, mostUrgent, unsentOf } from '#data/outbox/outbox.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'

const RESOURCE = 'noteLocationAreas'

export type RequestNotes = { count: number; status: string | null; unsent: SendState | null }

type NotesOf = Pick<
  RequestRecord,
  'id' | 'locationAreaId' | 'noteLocationAreaCount' | 'noteLocationAreaStatus'
>

/** @param records the notes of the request's area that are on the device */
export function requestNotes(
  request: NotesOf,
  records: readonly NoteRecord[],
  outbox: Pick<Outbox, 'queue' | 'photos' | 'progress'>,
): RequestNotes {
  const { noteLocationAreaCount: countInRow, noteLocationAreaStatus } = request
  const isShown = ({ changes }: NoteRecord) =>
    shownChanges(effectiveChanges(changes), outbox.progress).length > 0
  const readCount = records.filter(({ server }) => server !== undefined).length
  const createdCount = records.filter((record) => record.server === undefined && isShown(record)).length
  const count = Math.max(countInRow, readCount) + createdCount
  const { unregistered, registered } = RegistrationStatus.code
  return {
    count,
    status: noteLocationAreaStatus === unregistered && count > 0 ? registered : noteLocationAreaStatus,
    unsent: mostUrgent(records.flatMap(({ key }) => unsentOf(outbox, RESOURCE, key) ?? []))?.state ?? null,
  }
}

function requestNotes$(db: Database, request: NotesOf): Observable<RequestNotes> {
  const { id, locationAreaId } = request
  const selector = { locationAreaId: locationAreaId ?? '', ...(!locationAreaId && { requestId: id }) }
  return viewsWithOutbox$(db, RESOURCE, selector).pipe(
    map(([notes, outbox]) => requestNotes(request, notes, outbox)),
  )
}

/** Returns the number of notes; until they are read, the number in the request's row. */
export function useRequestNotes(request: RequestRecord): RequestNotes {
  const { id, locationAreaId, noteLocationAreaCount: count, noteLocationAreaStatus: status } = request
  const key = `notes counted ${id} ${locationAreaId} ${count} ${status}`
  return useLiveQuery(key, (db) => requestNotes$(db, request)) ?? { count, status, unsent: null }
}
