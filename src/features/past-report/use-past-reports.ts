import { useState } from 'react'
import { distinctUntilChanged, map, of, switchMap } from 'rxjs'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_KEPT } from '#schemas/limits.ts'
import { pastReportsOf } from '#schemas/past-report-key.ts'
import { useLiveQuery } from '#data/app-context.tsx'
import type { Database } from '#data/database.ts'
import { requestRows$ } from '#data/request-rows.ts'
import { useAskedList } from '#data/use-asked-list.ts'
import { deviceFacts, newestFirst } from './past-reports.ts'

const reports$ = (db: Database, deviceId: string) =>
  db.pastReports
    .find({ selector: pastReportsOf(deviceId) })
    .$.pipe(map((docs) => newestFirst(docs.map((doc) => doc.toMutableJSON()))))

/** Of the first request that names it. */
const device$ = (db: Database, deviceId: string) =>
  requestRows$(db).pipe(
    map(({ rows }) => rows.find(({ devices }) => devices.includes(deviceId))?.key),
    distinctUntilChanged(),
    switchMap((key) => (key === undefined ? of(null) : db.requests.findOne(key).$)),
    map((doc) => doc && deviceFacts(deviceId, doc.toMutableJSON())),
  )

/** The device as far as a request on this device names it; null where none does. */
export const useDevice = (deviceId: string) =>
  useLiveQuery(`device ${deviceId}`, (db) => device$(db, deviceId))

/**
 * Past reports of a device, newest first. What was prefetched is there at once; a device that was not, and pages beyond
 * those kept, are asked for.
 */
export function usePastReports(deviceId: string) {
  const [pages, setPages] = useState<number>()
  const reports = useLiveQuery(`past reports ${deviceId}`, (db) => reports$(db, deviceId))
  const [wanted, setWanted] = useState(false)
  const list = useAskedList(
    { collection: 'pastReports', owner: deviceId, ...(pages !== undefined && { pages }) },
    { ask: wanted },
  )
  const isUnread = reports !== undefined && !list.isComing && !list.isRead
  if (isUnread && !wanted) setWanted(true)
  const pagesRead = Math.max(list.pages, list.isRead ? DEVICE_REPORT_PAGES_KEPT : 0)
  const count = reports?.length ?? 0
  return {
    reports,
    isComing: list.isComing,
    isRead: list.isRead,
    hasFailed: list.hasFailed,
    standing: list.standing(reports?.length),
    retry: list.retry,
    /** All that the CRM has is here. */
    isWhole: list.isRead && count < pagesRead * DEVICE_REPORT_LIMIT,
    askMore() {
      setPages(Math.floor(count / DEVICE_REPORT_LIMIT) + 1)
      setWanted(true)
    },
  }
}
