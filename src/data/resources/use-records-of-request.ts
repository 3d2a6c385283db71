import type { OfRequestCollection } from '#schemas/collections/push-collections.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { recordOf$, recordsOf$ } from './records-of-request.ts'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import { useFetchedRecord } from '#data/context/use-fetched-record.ts'

/** Those of a request, newest first; undefined until they were read. */
const useRecordsOf = <C extends OfRequestCollection>(collection: C, requestId: string) =>
  useLiveQuery(`${collection} of ${requestId}`, (db) => recordsOf$(db, collection, requestId))

/** Those of a request that this device knows, and whether that is all: the list was read. Nothing is asked for. */
export function useRecordsKnown<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  return { records, isRead: useFetchedList({ collection, owner: requestId }, { ask: false }).isRead }
}

/** Those of a request for a screen that lists them: the CRM is asked for them, and `standing` says what may be said. */
export function useRecordList<C extends OfRequestCollection>(collection: C, requestId: string) {
  const records = useRecordsOf(collection, requestId)
  const list = useFetchedList({ collection, owner: requestId, requestId }, { ask: requestId !== '' })
  return { records, standing: list.standing(records?.length), retry: list.retry }
}

/** One by the CRM's id or the local key. One that is not on the device is asked for. */
export function useRecord<C extends OfRequestCollection>(collection: C, id: string) {
  const found = useLiveQuery(`${collection} ${id}`, (db) => recordOf$(db, collection, id))
  return useFetchedRecord(collection, id, found)
}
