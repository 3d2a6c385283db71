/** A visit: one request on one working day, with its report and what of it still travels. */
import type { RxDocument } from 'rxdb/plugins/core'
import { combineLatest, map, type Observable } from 'rxjs'
import type { QueueItem, SendState } from '#schemas/change-queue.ts'
import { prefetchKeys } from '#schemas/prefetch.ts'
import type { QuickReportRecord } from '#schemas/quick-report.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { Database } from './database.ts'
import { outbox$, type Outbox } from './outbox.ts'
import { quickReportView, type QuickReportView } from './quick-report-view.ts'

/** none: not entered; in: inside; out: left. */
export type VisitState = 'none' | 'in' | 'out'

export interface Visit {
  request: RequestRecord
  report: QuickReportView | null
  state: VisitState
  /** The most pressing state of what is unsent, and how many of the changes are in it; null when all is sent. */
  unsent: { state: SendState; count: number } | null
  /** Everything its screens need is on the device (PL4). */
  usableOffline: boolean
}

const MOST_PRESSING: readonly SendState[] = ['failed', 'expired', 'sending', 'waiting']

export function toVisit(
  request: RequestRecord,
  record: QuickReportRecord | undefined,
  outbox: Outbox,
  lists: ReadonlySet<string>,
): Visit {
  const report = record ? quickReportView(record, outbox.ledger) : null
  const items = outbox.queue.filter((item) => belongsTo(item, request))
  return {
    request,
    report,
    state: report?.outTime ? 'out' : report?.inTime ? 'in' : 'none',
    unsent: pressing(items),
    usableOffline:
      request.detail !== null &&
      request.detailConfirmedAt !== '' &&
      (report?.detailed ?? true) &&
      prefetchKeys(request).every((key) => lists.has(key)),
  }
}

/** What is unsent of this request: of this day, or of none. */
const belongsTo = ({ record }: QueueItem, { id, workingDate }: RequestRecord) =>
  record.requestId === id && (record.workingDate === workingDate || record.workingDate === '')

/** The lists of records that are on the device whole (schemas/prefetch). */
const prefetched$ = (db: Database): Observable<ReadonlySet<string>> =>
  db.interests
    .find({ selector: { kind: 'prefetch' } })
    .$.pipe(map((docs) => new Set(docs.map(({ key }) => key))))

function pressing(items: readonly QueueItem[]): Visit['unsent'] {
  for (const state of MOST_PRESSING) {
    const count = items.filter((item) => item.state === state).length
    if (count > 0) return { state, count }
  }
  return null
}

/** Days `from` to `to`, both included. */
export interface DayRange {
  from: string
  to: string
}

/** Behind every sort key that begins with the same day. */
const LAST = '\uFFFF'

/** The visits on the device, by day and time: of some days, which is one small read however many there are, or all. */
export function visits$(db: Database, days: DayRange | null): Observable<Visit[]> {
  const within = (of: 'sortKey' | 'workingDate') =>
    days ? { selector: { [of]: { $gte: days.from, $lte: days.to + LAST } } } : {}
  return combineLatest([
    db.requests.find({ ...within('sortKey'), sort: [{ sortKey: 'asc' }] }).$,
    db.quickReports.find(within('workingDate')).$,
    outbox$(db),
    prefetched$(db),
  ]).pipe(map(toVisits))
}

type Parts = [RxDocument<RequestRecord>[], RxDocument<QuickReportRecord>[], Outbox, ReadonlySet<string>]

function toVisits([requests, reports, outbox, lists]: Parts): Visit[] {
  const byKey = new Map(reports.map((doc) => [doc.key, doc.toJSON() as QuickReportRecord]))
  const ofRequest = new Map<string, QueueItem[]>()
  for (const item of outbox.queue) {
    const { requestId } = item.record
    ofRequest.set(requestId, [...(ofRequest.get(requestId) ?? []), item])
  }
  return requests.map((doc) => {
    const request = doc.toJSON() as RequestRecord
    return toVisit(request, byKey.get(doc.key), { ...outbox, queue: ofRequest.get(request.id) ?? [] }, lists)
  })
}

/** Whether the device holds any request at all. */
export const holdsRequests$ = (db: Database): Observable<boolean> =>
  db.requests.findOne().$.pipe(map((doc) => doc !== null))

/** The days of one request on the device, earliest first. */
export function visitsOfRequest$(db: Database, requestId: string): Observable<Visit[]> {
  return combineLatest([
    db.requests.find({ selector: { id: requestId }, sort: [{ workingDate: 'asc' }] }).$,
    db.quickReports.find({ selector: { requestId } }).$,
    outbox$(db),
    prefetched$(db),
  ]).pipe(map(toVisits))
}

/**
 * The visits that these reports belong to, in the order asked for; null where no report is known by that id.
 * @param ids CRM ids or local keys
 */
export function visitsOfReports$(db: Database, ids: readonly string[]): Observable<(ReportedVisit | null)[]> {
  return combineLatest([db.quickReports.find().$, db.requests.find().$, outbox$(db), prefetched$(db)]).pipe(
    map(([reports, requests, outbox, lists]) => {
      const records = reports.map((doc) => doc.toJSON() as QuickReportRecord)
      return ids.map((id) => {
        const record = records.find(({ key, serverId }) => key === id || (serverId !== '' && serverId === id))
        if (!record) return null
        const request = requests.find(({ key }) => key === record.key)
        return {
          record,
          report: quickReportView(record, outbox.ledger),
          visit: request ? toVisit(request.toJSON() as RequestRecord, record, outbox, lists) : null,
        }
      })
    }),
  )
}

export interface ReportedVisit {
  record: QuickReportRecord
  report: QuickReportView
  /** null: the request itself is not on the device */
  visit: Visit | null
}
