import { useMemo } from 'react'
import { useLiveQuery } from '#data/context/app-context.tsx'
import { requestVisitsQuery } from './first-queries.ts'
import { type RecordAbsence, useFetchedRecord } from '#data/context/use-fetched-record.ts'
import { useItsRequest } from './use-its-request.ts'
import { type ReportedVisit, visitsOfKeys$, visitsOfReports$ } from './visits.ts'

/** Some visits, whole, by day and time; undefined until they were read. */
export const useVisitsOfKeys = (keys: readonly string[]) =>
  useLiveQuery(`visits ${keys.join(' ')}`, (db) => visitsOfKeys$(db, keys))

/** The days of one request, earliest first; undefined until they were read, empty where none is on the device. */
export function useVisitsOfRequest(requestId: string) {
  const { key, query } = requestVisitsQuery(requestId)
  return useLiveQuery(key, query)
}

/**
 * The report of an id with its visit, which is on the screen: read anew once, for a request's row says nothing of a text
 * that somebody changed.
 */
export function useReport(id: string): ReportedVisit | RecordAbsence {
  const found = useVisitsOfReports(useMemo(() => [id], [id]))
  const report = found && (found[0] ?? null)
  const serverId = report?.record.serverId ?? ''
  // the address may still name it by the device's own key
  const asked = useFetchedRecord('quickReports', serverId || id, report, serverId !== '')
  const isWaiting = useItsRequest(report?.report ?? null, report?.visit !== null)
  return isWaiting ? 'loading' : asked
}

/**
 * The reports of these ids with their visits, in the order asked for; null where no report is known by that id.
 * @param ids CRM ids or local keys
 */
export const useVisitsOfReports = (ids: readonly string[]) =>
  useLiveQuery(`visits of reports ${ids.join(' ')}`, (db) => visitsOfReports$(db, ids))
