import { useMemo } from 'react'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { requestVisitsQuery } from './first-queries.ts'
import { type RecordAbsence, useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { useItsRequest } from './use-its-request.ts'
import { type ReportedVisit, visitsOfKeys$, visitsOfReports$ } from './visits.ts'

/** Several visits with their whole requests, by day and time; undefined until they were read. */
export const useVisitsOfKeys = (keys: readonly string[]) =>
  useLiveQuery(`visits ${keys.join(' ')}`, (db) => visitsOfKeys$(db, keys))

/**
 * The visits of one request, earliest first; undefined until they were read, empty if none is on the device.
 */
export function useVisitsOfRequest(requestId: string) {
  const { key, query } = requestVisitsQuery(requestId)
  return useLiveQuery(key, query)
}

/**
 * A report by id, with its visit. Reads it from the CRM once, because the request's row does not show that
 * somebody has changed a text.
 */
export function useReport(id: string): ReportedVisit | RecordAbsence {
  const found = useVisitsOfReports(useMemo(() => [id], [id]))
  const report = found && (found[0] ?? null)
  const serverId = report?.record.serverId ?? ''
  // The URL may still contain the device's own key.
  const fetched = useFetchedRecord('quickReports', serverId || id, report, serverId !== '')
  const isWaiting = useItsRequest(report?.report ?? null, report?.visit !== null)
  return isWaiting ? 'loading' : fetched
}

/**
 * Reports by id with their visits, in the given order; null for an unknown id.
 * @param ids CRM ids or local keys
 */
export const useVisitsOfReports = (ids: readonly string[]) =>
  useLiveQuery(`visits of reports ${ids.join(' ')}`, (db) => visitsOfReports$(db, ids))
