import { useLiveQuery } from './app-context.tsx'
import { useAskedRecord } from './use-asked-record.ts'
import { emergencyReport$, emergencyReportsOf$ } from './emergency-reports.ts'
import { useAskedList } from './use-asked-list.ts'

/** 緊急報告 of a request, newest first; undefined until they were read. */
export const useEmergencyReportsOf = (requestId: string) =>
  useLiveQuery(`emergencyReports of ${requestId}`, (db) => emergencyReportsOf$(db, requestId))

/**
 * 緊急報告 of a request for a screen that lists them: the CRM is asked for them, and `standing` says what may be said.
 */
export function useEmergencyList(requestId: string) {
  const reports = useEmergencyReportsOf(requestId)
  const list = useAskedList(
    { collection: 'emergencyReports', owner: requestId, requestId },
    { ask: requestId !== '' },
  )
  return { reports, standing: list.standing(reports?.length), retry: list.retry }
}

/** One by the CRM's id or the local key. One that is not on the device is asked for. */
export function useEmergencyReport(id: string) {
  const found = useLiveQuery(`emergencyReport ${id}`, (db) => emergencyReport$(db, id))
  return useAskedRecord('emergencyReports', id, found)
}
