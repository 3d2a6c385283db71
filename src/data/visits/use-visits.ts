/** Hooks that return visits, and request those from the CRM that are not on the device. */
import { useEffect, useMemo } from 'react'
import { useLiveQuery, useUserData, useOnline, useServices } from '#data/context/app-context.tsx'
import { requestVisitsQuery } from './first-queries.ts'
import { type RecordAbsence, useFetchedRecord, useFreshDetail } from '#data/context/use-fetched-record.ts'
import { type ReportedVisit, visitsOfKeys$, visitsOfReports$, type Visit } from './visits.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useDayOpened } from '#data/context/use-now.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'
import { askDetail } from '#data/fetch-requests/interests.ts'
import { useOpened } from '#data/context/use-latched.ts'

/** Returns several visits with their whole requests, by day and time; undefined until they are read. */
export const useVisitsOfKeys = (keys: readonly string[]) =>
  useLiveQuery(`visits ${keys.join(' ')}`, (db) => visitsOfKeys$(db, keys))

/** Returns the visits of one request, earliest first; undefined until they are read, empty if none is on the device. */
export function useVisitsOfRequest(requestId: string) {
  const { key, query } = requestVisitsQuery(requestId)
  return useLiveQuery(key, query)
}

/** Returns a report by its id, with its visit. It is always requested once: the row does not show others' changes. */
export function useReport(id: string): ReportedVisit | RecordAbsence {
  const found = useVisitsOfReports(useMemo(() => [id], [id]))
  const report = found && (found[0] ?? null)
  const serverId = report?.record.serverId ?? ''
  // The report is requested by its CRM id, because the URL may contain the local key.
  const fetched = useFetchedRecord('quickReports', serverId || id, report, serverId !== '')
  const isWaiting = useItsRequest(report?.report ?? null, report?.visit !== null)
  return isWaiting ? 'loading' : fetched
}

/** Returns reports by CRM ids or local keys, with their visits, in the order of the ids; null for an unknown id. */
export const useVisitsOfReports = (ids: readonly string[]) =>
  useLiveQuery(`visits of reports ${ids.join(' ')}`, (db) => visitsOfReports$(db, ids))

/** Returns the request for which a form is opened, at its first day from today on, else its last (crm-contract 4). */
export function useRequest(id: string): RequestRecord | RecordAbsence {
  const visit = useVisitOf(id, undefined)
  return typeof visit === 'string' ? visit : visit.request
}

/** Returns the visit for a request's screen (`shownVisit`), and requests it if it is not on the device. */
export function useVisitOf(requestId: string, workingDate: string | undefined): Visit | RecordAbsence {
  const days = useVisitsOfRequest(requestId)
  const { visit, invalidDate } = shownVisit(days ?? [], workingDate, useDayOpened(requestId))
  const day = invalidDate ? undefined : workingDate
  const detailState = useFreshDetail(requestId, day ?? visit?.request.workingDate ?? '', days !== undefined)
  if (visit) return visit
  if (detailState === 'missing') return 'missing'
  return days === undefined || detailState === 'asked' ? 'loading' : 'absent'
}

/**
 * Chooses the visit that a screen shows: the one on the day in the URL. Without a valid day, the first one from today
 * on; if all are past, the last. `days` are earliest first.
 */
export function shownVisit(days: readonly Visit[], workingDate: string | undefined, today: string) {
  const nearest = days.find(({ request }) => request.workingDate >= today) ?? days.at(-1) ?? null
  const invalidDate = workingDate !== undefined && !isIsoDate(workingDate)
  if (workingDate === undefined || invalidDate) return { visit: nearest, invalidDate }
  return { visit: days.find(({ request }) => request.workingDate === workingDate) ?? null, invalidDate }
}

/** The visit to which a record belongs. An empty day stands for the request's next visit (crm-contract 4). */
type Visited = { requestId: string; workingDate: string }

/**
 * Fetches the request of a record if it is not on the device, because the record's screen begins with a summary of
 * the request (spec 2). Both appear together, so that the summary does not move the record. Once shown, a record
 * stays.
 * @returns true while the screen should wait for the request
 */
export function useItsRequest(record: Visited | null, hasRequest: boolean): boolean {
  const isMissing = record !== null && !hasRequest
  const detailState = useFreshDetail(record?.requestId ?? '', record?.workingDate ?? '', isMissing)
  const isWaiting = isMissing && detailState === 'asked'
  const isShown = useOpened(record !== null && !isWaiting)
  return isWaiting && !isShown
}

/** Fetches the requests of further records on the screen, without waiting for them. */
export function useTheirRequests(missing: readonly Visited[]): void {
  const { clock } = useServices()
  const db = useUserData()?.db
  const online = useOnline()
  const missingText = JSON.stringify(missing.map(({ requestId, workingDate }) => [requestId, workingDate]))
  useEffect(() => {
    if (!db || !online) return
    for (const [requestId, day] of JSON.parse(missingText) as [string, string][])
      void askDetail(db, clock.now(), requestId, day)
  }, [db, online, clock, missingText])
}
