import { map } from 'rxjs'
import { useLiveQuery, useOnline } from './app-context.tsx'
import {
  changeRequest$,
  changeRequestsOf$,
  type ChangeCollection,
  type ShownChangeRequest,
} from './change-requests.ts'
import { useToday } from './use-now.ts'

/**
 * The change request of an id, live.
 * @returns undefined until the device was read, and online while the record is on its way
 */
export function useChangeRequest<C extends ChangeCollection>(
  resource: C,
  id: string,
): ShownChangeRequest<C> | undefined {
  const today = useToday()
  const online = useOnline()
  const shown = useLiveQuery(`${resource} ${id} ${today}`, (db) => changeRequest$(db, resource, id, today))
  return online && shown?.coming ? undefined : shown
}

/**
 * The change requests of a request by key; undefined until they were read.
 */
export const useChangeRequestsOf = <C extends ChangeCollection>(resource: C, requestId: string) =>
  useLiveQuery(`${resource} of ${requestId}`, (db) =>
    changeRequestsOf$(db, resource, requestId).pipe(
      map((changes) => new Map(changes.map((change) => [change.record.key, change]))),
    ),
  )
