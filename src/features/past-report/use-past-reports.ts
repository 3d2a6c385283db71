import { useState } from 'react'
import { distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_AHEAD } from '#schemas/limits.ts'
import { pastReportsOf } from '#schemas/resources/visit-key.ts'
import { useLiveQuery } from '#data/context/app-context.tsx'
import type { Database } from '#data/database/database.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import { useFetchedList } from '#data/context/use-fetched-list.ts'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'

const reports$ = (db: Database, deviceId: string) =>
  db.pastReports
    .find({ selector: pastReportsOf(deviceId) })
    .$.pipe(map((docs) => newestFirst(docs.map((doc) => doc.toMutableJSON()))))

/** Emits the facts of a machine (機器), read from any request on the device that names it; null if none does. */
const machine$ = (db: Database, deviceId: string) =>
  requestRows$(db).pipe(
    map(({ rows }) => rows.find(({ devices }) => devices.includes(deviceId))?.key),
    distinctUntilChanged(),
    switchMap((key) => (key === undefined ? of(null) : db.requests.findOne(key).$)),
    map((doc) => doc && machineFacts(deviceId, doc.toMutableJSON())),
  )

/**
 * Returns the facts of a machine (機器), read from any request on the device; null if no request names it, undefined
 * until the requests are read.
 */
export const useMachine = (deviceId: string) =>
  useLiveQuery(`machine ${deviceId}`, (db) => machine$(db, deviceId))

/** Returns a machine's past reports, newest first: at once those on the device, then further pages from the CRM. */
export function usePastReports(deviceId: string) {
  // Number of pages to read from the CRM; undefined until the user reaches the end of the list.
  const [pages, setPages] = useState<number>()
  const reports = useLiveQuery(`past reports ${deviceId}`, (db) => reports$(db, deviceId))
  const [wanted, setWanted] = useState(false)
  const list = useFetchedList(
    { collection: 'pastReports', owner: deviceId, ...(pages !== undefined && { pages }) },
    { ask: wanted },
  )
  const isUnread = reports !== undefined && !list.isComing && !list.isRead
  if (isUnread && !wanted) setWanted(true)
  // `list.pages` counts only the pages of a fetch request. The app reads a machine's first pages without one.
  const pagesRead = Math.max(list.pages, list.isRead ? DEVICE_REPORT_PAGES_AHEAD : 0)
  const count = reports?.length ?? 0
  return {
    reports,
    isComing: list.isComing,
    isRead: list.isRead,
    hasFailed: list.hasFailed,
    loadState: list.loadState(reports?.length),
    retry: list.retry,
    /** True if the last page was not full, so that the CRM has no further reports of this machine. */
    isWhole: list.isRead && count < pagesRead * DEVICE_REPORT_LIMIT,
    askMore() {
      setPages(Math.floor(count / DEVICE_REPORT_LIMIT) + 1)
      setWanted(true)
    },
  }
}

const sortKey = ({ workingDate, workingStartTime, id }: PastReportRecord) =>
  `${workingDate} ${workingStartTime ?? ''} ${id}`

const newestFirst = (reports: readonly PastReportRecord[]): PastReportRecord[] =>
  reports.toSorted((a, b) => (sortKey(a) > sortKey(b) ? -1 : 1))

interface MachineFacts {
  model: string
  /** The place of the machine. Example: ベイサイド東雲 A棟 地下ピット 1号機 */
  place: string
}

function machineFacts(
  deviceId: string,
  { detail, locationName }: Pick<RequestRecord, 'detail' | 'locationName'>,
): MachineFacts | null {
  const machine = detail?.devices.find((each) => each.deviceId === deviceId)
  if (!machine) return null
  const place = [machine.site1 || locationName, machine.site2].filter(Boolean).join('　')
  return { model: machine.deviceModel ?? deviceId, place }
}
