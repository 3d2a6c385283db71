/** A visit: one request on one working day, with its report and unsent changes. */
import type { RxDocument } from 'rxdb/plugins/core'
import { combineLatest, distinctUntilChanged, map, of, switchMap, type Observable } from 'rxjs'
import type { SendFacts } from '#schemas/change.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { findByIdOrKey } from '#data/database/find-by-id.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { views$, viewsByKey$ } from '#data/changes/record-views.ts'
import { quickReportView, type QuickReportView, summaryReport } from './quick-report-view.ts'
import {
  type DayRange,
  prefetched$,
  remembered,
  requestRows$,
  type RequestRows,
  rowsOfDays$,
  type ListedRequest,
} from './request-rows.ts'

/** Exported here too, so that `first-queries.ts` loads this query and those of the visits from one file. */
export { outbox$ }

/** `none`: not entered. `in`: inside. `out`: left. */
type VisitState = 'none' | 'in' | 'out'
type ListedReport = Pick<QuickReportView, 'id' | 'inTime' | 'outTime' | 'unsent' | 'changedByOthers'>

type VisitOf<R, V = QuickReportView> = { request: R; report: V | null; state: VisitState }

export type Visit = VisitOf<RequestRecord>
export type VisitRow = VisitOf<Omit<ListedRequest, 'address' | 'tel' | 'devices' | 'needs'>, ListedReport> & {
  /** True if all data that the visit's screens show is on the device (PL4). Only rows of the list have this field. */
  usableOffline: boolean
  /** True if a form about the visit has unsaved input. */
  hasDraft: boolean
}

/** Combines a request with its report, if it is on the device. */
export function toVisit<R extends Pick<RequestRecord, 'key' | 'id' | 'workingDate' | 'quickReport'>>(
  request: R,
  record: QuickReportRecord | undefined,
  progress: ProgressById,
): VisitOf<R> {
  return visitWith(request, reportOf(request, record, progress))
}

const visitWith = <R>(request: R, report: QuickReportView | null): VisitOf<R> => ({
  request,
  report,
  state: stateOf(report),
})

/** Returns the view of a report. If its record is not on the device, the view has what the request's row says. */
function reportOf(
  request: Parameters<typeof summaryReport>[0],
  record: QuickReportRecord | undefined,
  progress: ProgressById,
): QuickReportView | null {
  const known = record ?? summaryReport(request)
  return known && quickReportView(known, progress)
}

const stateOf = (report: QuickReportView | null): VisitState =>
  report?.outTime ? 'out' : report?.inTime ? 'in' : 'none'

/** Visits on the device, by day and time. Each visit is computed when it is needed. */
export interface VisitList extends RequestRows {
  visitOf(row: ListedRequest): VisitRow
  /** Returns the state of the visit without building the visit. */
  stateOf(row: ListedRequest): VisitState
  /** Returns `usableOffline` without building the visit. */
  isUsable(row: ListedRequest): boolean
  /** True if changes, photos or form input of the request are unsent. */
  hasUnsent(row: ListedRequest): boolean
}

type Reports$ = Observable<(key: string) => QuickReportRecord | undefined>

export const visitList$ = (db: Database): Observable<VisitList> =>
  listOf$(db, requestRows$(db), viewsByKey$(db, 'quickReports'))

/** Emits the visits of a range of days. An index finds them, so that no other visit is read. */
export const visitsOfDays$ = (db: Database, days: DayRange): Observable<VisitList> =>
  listOf$(
    db,
    rowsOfDays$(db, days),
    viewsByKey$(db, 'quickReports', { workingDate: { $gte: days.from, $lte: days.to } }),
  )

function listOf$(db: Database, rows$: Observable<RequestRows>, reports$: Reports$): Observable<VisitList> {
  return combineLatest([rows$, reports$, outbox$(db), prefetched$(db)]).pipe(
    map(([{ rows, fold, isWhole }, recordOf, { progress, queue, photos, drafts }, lists]) => {
      const waiting = [...queue, ...photos.flatMap(({ items }) => items)]
      const unsent = new Set(waiting.map(({ record }) => record.requestId))
      const drafted = new Set(drafts.flatMap(({ requests }) => requests))
      const hasDraft = ({ id, key }: ListedRequest) => drafted.has(id) || drafted.has(key)
      // A search asks for the state of all its rows, and so does each of its renders.
      const reportOfRow = remembered((row: ListedRequest) => reportOf(row, recordOf(row.key), progress))
      const isUsable = remembered(
        (row: ListedRequest) =>
          row.needs !== null &&
          (reportOfRow(row)?.detailed ?? true) &&
          row.needs.every((key) => lists.has(key)),
      )
      return {
        rows,
        fold,
        isWhole,
        visitOf: remembered((row) => ({
          ...visitWith(row, reportOfRow(row)),
          usableOffline: isUsable(row),
          hasDraft: hasDraft(row),
        })),
        stateOf: (row) => stateOf(reportOfRow(row)),
        isUsable,
        hasUnsent: (row) => unsent.has(row.id) || hasDraft(row),
      }
    }),
  )
}

type ProgressById = ReadonlyMap<string, SendFacts>

/** Emits visits with their whole requests. Changes of other records emit nothing. */
const visits$ = (requests$: Observable<RxDocument<RequestRecord>[]>, reports$: Reports$, db: Database) =>
  combineLatest([requests$, reports$, outbox$(db)]).pipe(
    map(([requests, recordOf, { progress }]): Visit[] =>
      requests.map((doc) => toVisit(doc.toJSON() as RequestRecord, recordOf(doc.key), progress)),
    ),
    distinctUntilChanged<Visit[]>(isSameJson),
  )

/** Emits several visits by day and time. */
export function visitsOfKeys$(db: Database, keys: readonly string[]): Observable<Visit[]> {
  const selector = { key: { $in: [...keys] } }
  const requests$ = db.requests.find({ selector, sort: [{ sortKey: 'asc' }] }).$
  return visits$(requests$, viewsByKey$(db, 'quickReports', selector), db)
}

/** Emits the visits of one request, earliest first. */
export function visitsOfRequest$(db: Database, requestId: string): Observable<Visit[]> {
  const requests$ = db.requests.find({ selector: { id: requestId }, sort: [{ workingDate: 'asc' }] }).$
  // Reports are found by their key, which begins with the request's id, because the id itself has no index.
  const key = { $gte: visitKey(requestId, ''), $lt: visitKey(requestId, '\uffff') }
  return visits$(requests$, viewsByKey$(db, 'quickReports', { key }), db)
}

/** Emits the visits of reports by CRM ids or local keys, in the order of the ids; null for an unknown id. */
export function visitsOfReports$(db: Database, ids: readonly string[]): Observable<(ReportedVisit | null)[]> {
  return views$(db, 'quickReports', {}).pipe(
    map((records) => ids.map((id) => findByIdOrKey(records, id))),
    switchMap((records) => {
      const keys = records.flatMap((record) => record?.key ?? [])
      return combineLatest([of(records), visitsOfKeys$(db, keys), outbox$(db)])
    }),
    map(([records, visits, { progress }]) =>
      records.map((record) => {
        if (!record) return null
        const visit = visits.find(({ request }) => request.key === record.key) ?? null
        return { record, report: quickReportView(record, progress), visit }
      }),
    ),
    distinctUntilChanged<(ReportedVisit | null)[]>(isSameJson),
  )
}

export type ReportedVisit = { record: QuickReportRecord; report: QuickReportView; visit: Visit | null }
