import { useLiveQuery } from './app-context.tsx'
import { emergencyReport$, emergencyReportsOf$ } from './emergency-reports.ts'

/** 緊急報告 of a request, newest first; undefined until they were read. */
export const useEmergencyReportsOf = (requestId: string) =>
  useLiveQuery(`emergencyReports of ${requestId}`, (db) => emergencyReportsOf$(db, requestId))

/** One by the CRM's id or the local key; null where none is on the device, undefined until that is known. */
export const useEmergencyReport = (id: string) =>
  useLiveQuery(`emergencyReport ${id}`, (db) => emergencyReport$(db, id))
