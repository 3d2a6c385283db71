import { useLiveQuery } from './app-context.tsx'
import { useAskedRecord } from './use-asked-record.ts'
import { emergencyReport$, emergencyReportsOf$ } from './emergency-reports.ts'

/** 緊急報告 of a request, newest first; undefined until they were read. */
export const useEmergencyReportsOf = (requestId: string) =>
  useLiveQuery(`emergencyReports of ${requestId}`, (db) => emergencyReportsOf$(db, requestId))

/** One by the CRM's id or the local key. One that is not on the device is asked for. */
export function useEmergencyReport(id: string) {
  const found = useLiveQuery(`emergencyReport ${id}`, (db) => emergencyReport$(db, id))
  return useAskedRecord('emergencyReports', id, found)
}
