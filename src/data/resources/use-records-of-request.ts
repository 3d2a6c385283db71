import type { OfRequestCollection } from '#schemas/collections/push-collections.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { recordOf$, recordsOf$ } from './records-of-request.ts'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'

/** The records of a request, newest first; undefined until they were read. */
const useRecordsOf = <C extends OfRequestCollection>(collection: C, requestId: string) =>
  useLiveQuery(`${collection} of ${requestId}`, (db) => recordsOf$(db, collection, requestId))

/** The local records of a request; `isRead` is true if the whole list is on the device. Requests nothing. */
export function useRecordsKnown<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  return { records, isRead: useFetchedList({ collection, owner: requestId }, { ask: false }).isRead }
}

/** The records of a request for a screen that lists them. Requests the list; `standing` is its state. */
export function useRecordList<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  const list = useFetchedList({ collection, owner: requestId, requestId }, { ask: requestId !== '' })
  return { records, standing: list.standing(records?.length), retry: list.retry }
}

/** A record by CRM id or local key. Requests it if it is not on the device. */
export function useRecord<C extends OfRequestCollection>(collection: C, id: string) {
  const found = useLiveQuery(`${collection} ${id}`, (db) => recordOf$(db, collection, id))
  return useFetchedRecord(collection, id, found)
}
