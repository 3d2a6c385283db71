import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { requestNotes$, type RequestNotes } from './note-location-area-count.ts'

/**
 * The number of notes about a request's place. Until the device was read, the number from the request's row.
 */
export function useRequestNotes(request: RequestRecord): RequestNotes {
  const { id, locationAreaId, noteLocationAreaCount: count, noteLocationAreaStatus: status } = request
  const key = `notes counted ${id} ${locationAreaId} ${count} ${status}`
  return useLiveQuery(key, (db) => requestNotes$(db, request)) ?? { count, status, unsent: null }
}
