import { useMemo } from 'react'
import { useLiveQuery, useUserData } from './app-context.tsx'
import type { Database } from './database.ts'
import { type Gone, useAskedRecord } from './use-asked-record.ts'
import { type ReportedVisit, visitsOfKeys$, visitsOfReports$, visitsOfRequest$ } from './visits.ts'

/** Some visits, whole, by day and time; undefined until they were read. */
export const useVisitsOfKeys = (keys: readonly string[]) =>
  useLiveQuery(`visits ${keys.join(' ')}`, (db) => visitsOfKeys$(db, keys))

const ofRequest = (requestId: string) => ({
  key: `visits of ${requestId}`,
  query: (db: Database) => visitsOfRequest$(db, requestId),
})

/** The days of one request, earliest first; undefined until they were read, empty where none is on the device. */
export function useVisitsOfRequest(requestId: string) {
  const { key, query } = ofRequest(requestId)
  return useLiveQuery(key, query)
}

/** Reads a request while the finger that opens it is still on the glass. */
export function useReadAhead(): (requestId: string) => void {
  const data = useUserData()
  return (requestId) => {
    const { key, query } = ofRequest(requestId)
    data?.live.store(key, query).subscribe(() => undefined)()
  }
}

/**
 * The report of an id with its visit, which is on the screen: read anew once, for a request's row says nothing of a text
 * that somebody changed.
 */
export function useReport(id: string): ReportedVisit | Gone {
  const found = useVisitsOfReports(useMemo(() => [id], [id]))
  const report = found && (found[0] ?? null)
  const serverId = report?.record.serverId ?? ''
  // the address may still name it by the device's own key
  return useAskedRecord('quickReports', serverId || id, report, serverId !== '')
}

/**
 * The reports of these ids with their visits, in the order asked for; null where no report is known by that id.
 * @param ids CRM ids or local keys
 */
export const useVisitsOfReports = (ids: readonly string[]) =>
  useLiveQuery(`visits of reports ${ids.join(' ')}`, (db) => visitsOfReports$(db, ids))
