/** Visits for the tests of screens: a request on a day, and where its report stands. */
import { visitKey } from '#schemas/resources/visit-key.ts'
import { prefetchKey, WINDOW_LIST } from '#schemas/collections/prefetch.ts'
import type {
  QuickReportContent,
  QuickReportRecord,
  QuickReportServer,
} from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { toVisit, type Visit, type VisitRow } from '#data/visits/visits.ts'
import { quickReportRecord, requestRecord } from './device-records.ts'
import { storeViews } from './stored-views.ts'

const DAY = '2026-11-20'

/** A request on a day, at a time. */
export function requestOn(id: string, day: string, over: Partial<RequestRecord> = {}): RequestRecord {
  return requestRecord(id, {
    key: visitKey(id, day),
    workingDate: day,
    sortKey: `${day} ${over.workingStartTime ?? `${day}T09:00:00+09:00`} ${id}`,
    workingStartTime: `${day}T09:00:00+09:00`,
    workingEndTime: `${day}T12:00:00+09:00`,
    ...over,
  })
}

const NOTHING: QuickReportContent = {
  inTime: null,
  outTime: null,
  type: null,
  reason1: null,
  reason2: null,
  reportContent: null,
}

/** The report of a request as the CRM confirmed it; its id is `q-` and the request's. */
export function reportOn(
  id: string,
  over: Partial<QuickReportServer> = {},
  day = DAY,
): QuickReportRecord & { server: QuickReportServer } {
  return {
    ...quickReportRecord(id, []),
    key: visitKey(id, day),
    workingDate: day,
    serverId: `q-${id}`,
    server: { ...NOTHING, id: `q-${id}`, editStatus: null, detailed: true, stamp: '', ...over },
  }
}

export const ENTERED = `${DAY}T08:56:00+09:00`
export const LEFT = `${DAY}T11:42:00+09:00`

/** A visit as the screens' read model gives it, whole and for a list. */
export const visitOf = (request: RequestRecord, record?: QuickReportRecord): Visit & VisitRow => ({
  ...toVisit(request, record, new Map()),
  usableOffline: true,
  hasDraft: false,
})

/** The pull has read the whole window. @param at ISO 8601 */
export async function windowWasRead(db: Database, at: string, because = ''): Promise<void> {
  const key = prefetchKey(WINDOW_LIST.collection, WINDOW_LIST.owner)
  await db.interests.upsert({
    key,
    kind: 'prefetch',
    because,
    askedAt: at,
    state: 'answered',
    answeredAt: at,
    total: 0,
  })
}

/** The device of a user whose window was read an hour before noon: what is not there, there is none of. */
export async function storeWindow(...[db, requests, reports]: Parameters<typeof storeVisits>): Promise<void> {
  await storeVisits(db, requests, reports)
  await windowWasRead(db, `${DAY}T11:00:00+09:00`)
}

/** Puts requests and reports on the device. */
export async function storeVisits(
  db: Database,
  requests: readonly RequestRecord[],
  reports: readonly QuickReportRecord[] = [],
): Promise<void> {
  await db.requests.bulkInsert([...requests])
  await storeViews(db, 'quickReports', [...reports])
}
