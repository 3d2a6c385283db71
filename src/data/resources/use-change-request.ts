import { map } from 'rxjs'
import { useLiveQuery } from '#data/context/app-context.tsx'
import {
  changeRequest$,
  changeRequestsOf$,
  type ChangeCollection,
  type ShownChangeRequest,
} from './change-requests.ts'
import { type RecordAbsence, useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { useItsRequest } from '#data/visits/use-its-request.ts'
import { useDayOpened } from '#data/context/use-now.ts'

/**
 * A change request by id, live. Requests it and its request if they are not on the device. Both appear
 * together, so that the board does not push the form down later. What is shown stays.
 */
export function useChangeRequest<C extends ChangeCollection>(
  resource: C,
  id: string,
): ShownChangeRequest<C> | RecordAbsence {
  const today = useDayOpened(id)
  const shown = useLiveQuery(`${resource} ${id} ${today}`, (db) => changeRequest$(db, resource, id, today))
  const fetched = useFetchedRecord(resource, id, shown)
  const record = shown ? { requestId: shown.change.record.requestId, workingDate: '' } : null
  const isWaiting = useItsRequest(record, shown?.request !== null)
  return isWaiting ? 'loading' : fetched
}

/** The change requests of a request by key; undefined until they were read. */
export const useChangeRequestsOf = <C extends ChangeCollection>(resource: C, requestId: string) =>
  useLiveQuery(`${resource} of ${requestId}`, (db) =>
    changeRequestsOf$(db, resource, requestId).pipe(
      map((changes) => new Map(changes.map((change) => [change.record.key, change]))),
    ),
  )
