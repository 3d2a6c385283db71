import type { RequestRecord } from '#schemas/resources/request.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { requestNotes$, type RequestNotes } from './note-location-area-count.ts'

/** The notes of a request's place in numbers; until the device was read, what the request's row says. */
export function useRequestNotes(request: RequestRecord): RequestNotes {
  const { id, locationAreaId, noteLocationAreaCount: count, noteLocationAreaStatus: status } = request
  const key = `notes counted ${id} ${locationAreaId} ${count} ${status}`
  return useLiveQuery(key, (db) => requestNotes$(db, request)) ?? { count, status, unsent: null }
}
