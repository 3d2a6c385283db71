import { useState } from 'react'
import { map } from 'rxjs'
import { useLiveQuery } from './app-context.tsx'
import {
  changeRequest$,
  changeRequestsOf$,
  type ChangeCollection,
  type ShownChangeRequest,
} from './change-requests.ts'
import { type Gone, useAskedRecord } from './use-asked-record.ts'
import { useFreshDetail } from './use-fresh-detail.ts'
import { useDayOpened } from './use-now.ts'

/**
 * The change request of an id, live. One that is not on the device is asked for, and so is its request: both come at once,
 * so that the board of the one does not push down the form of the other. What is shown stays.
 */
export function useChangeRequest<C extends ChangeCollection>(
  resource: C,
  id: string,
): ShownChangeRequest<C> | Gone {
  const today = useDayOpened(id)
  const shown = useLiveQuery(`${resource} ${id} ${today}`, (db) => changeRequest$(db, resource, id, today))
  const asked = useAskedRecord(resource, id, shown)
  const fresh = useFreshDetail(shown?.change.record.requestId ?? '', '', shown?.request === null)
  const [isShown, setShown] = useState(false)
  const isWaiting = !isShown && typeof asked !== 'string' && asked.request === null && fresh === 'asked'
  if (!isShown && !isWaiting && typeof asked !== 'string') setShown(true)
  return isWaiting ? 'loading' : asked
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
