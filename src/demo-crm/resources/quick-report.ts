/** Quick reports: entry and exit of one request on one day (crm-contract 4). */
import { type } from 'arktype'
import { QuickReportType, Reason1, Reason2 } from '#schemas/codes.ts'
import { QUICK_REPORT_UPDATE_DAYS, REPORT_CONTENT_MAX } from '#schemas/limits.ts'
import { day, given, maybe, moment, momentOrNull, textOrNull, withBody } from '#demo-crm/world/body.ts'
import {
  noContent,
  notFound,
  ok,
  refused,
  type DemoResponse,
  type Handler,
  type Route,
} from '#demo-crm/world/call.ts'
import { quickReportId, type OfOrigin } from '#demo-crm/world/rows.ts'
import { endTime, startTime } from '../seed/visits.ts'
import { addDays } from '#demo-crm/seed/tokyo-day.ts'
import { ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import type { World } from '#demo-crm/world/world.ts'

/**
 * A missing field means null (crm-contract 2). Only a missing entry time means that the entry time does not change
 * (crm-contract 4).
 */
const updateBody = type({
  '+': 'delete',
  'inTime?': momentOrNull,
  outTime: momentOrNull.default(null),
  type: maybe.default(null),
  reason1: maybe.default(null),
  reason2: maybe.default(null),
  reportContent: textOrNull(REPORT_CONTENT_MAX).default(null),
  loginUserId: maybe.default(null),
})
type Sent = typeof updateBody.infer

export interface QuickReportRow extends OfOrigin, Omit<Sent, 'inTime' | 'loginUserId'> {
  id: string
  requestId: string
  workingDate: string
  workingDateType: string
  inTime: string
  /** True if the office has confirmed the report, which is then read-only. */
  confirmed: boolean
  loginUserId: string
}
declare module '#demo-crm/world/rows.ts' {
  interface RecordRows {
    quickReports: QuickReportRow
  }
}

/** True if the working day was more than 7 days ago by Tokyo's calendar (ec00012). */
const isTooLate = (world: World, report: QuickReportRow) =>
  world.today > addDays(report.workingDate, QUICK_REPORT_UPDATE_DAYS)

const editStatus = (world: World, report: QuickReportRow) =>
  report.confirmed || isTooLate(world, report) ? 'NG' : 'OK'

/** Returns the short form of a report, which is the field `quickReport` of a request. */
export const summaryOf = (world: World, report: QuickReportRow) => ({
  id: report.id,
  inTime: report.inTime,
  outTime: report.outTime,
  type: report.type,
  editStatus: editStatus(world, report),
})

const labelOf = (table: { label(code: string): string }, code: string | null) =>
  code === null ? null : table.label(code)

function viewOf(world: World, report: QuickReportRow) {
  const visit = visitFor(world, report.requestId, report.workingDate)
  return {
    ...summaryOf(world, report),
    requestId: report.requestId,
    workingDate: report.workingDate,
    workingDateType: report.workingDateType,
    typeName: labelOf(QuickReportType, report.type),
    reason1Id: report.reason1,
    reason1Name: labelOf(Reason1, report.reason1),
    reason2Id: report.reason2,
    reason2Name: labelOf(Reason2, report.reason2),
    reportContent: report.reportContent,
    request: visit
      ? [
          {
            id: visit.id,
            requestCode: visit.requestCode,
            workingDate: visit.workingDate,
            workingStartTime: startTime(visit),
            workingEndTime: endTime(visit),
            ttsOrder: ttsOrderOf(visit),
          },
        ]
      : [],
  }
}

const entryBody = type({
  requestId: given,
  workingDate: day,
  'workingDateType?': maybe,
  inTime: moment,
  'loginUserId?': maybe,
})

const enter = withBody(entryBody, ({ requestId, workingDate, inTime, loginUserId }, _, world) => {
  const visit = visitFor(world, requestId, workingDate)
  if (!visit) return notFound
  const id = quickReportId(requestId, workingDate)
  if (world.table('quickReports').get(id)) return refused('ec00011')
  world.table('quickReports').put(id, {
    id,
    requestId,
    workingDate,
    inTime,
    workingDateType: visit.workingDateType,
    outTime: null,
    type: null,
    reason1: null,
    reason2: null,
    reportContent: null,
    confirmed: false,
    loginUserId: loginUserId ?? '',
    origin: 'call',
  })
  return ok({ id, inTime })
})

const exitBody = updateBody.omit('inTime').merge({
  '+': 'delete',
  outTime: moment,
  type: given,
  quickReports: type({ id: given }).array(),
})

function faultsOf(sent: Sent, row: QuickReportRow): string[] {
  const wrong: [boolean, string][] = [
    [row.type !== null && !QuickReportType.has(row.type), '作業区分が正しくありません。'],
    [row.type === '1' && Boolean(sent.reason1 ?? sent.reason2), '作業完了に理由は登録できません。'],
    [row.type === '2' && Boolean(sent.reason2), '中止・延期の理由は登録できません。'],
    [row.type === '3' && Boolean(sent.reason1), '残作業の理由は登録できません。'],
    [row.type === '2' && !Reason1.has(row.reason1), '残作業の理由は必須です'],
    [row.type === '3' && !Reason2.has(row.reason2), '中止・延期の理由は必須です'],
    [row.reason2 === '99' && !row.reportContent, 'その他報告内容は必須です'],
  ]
  return wrong.flatMap(([isWrong, text]) => (isWrong ? [text] : []))
}

/** Returns the changed report without storing it, or the response that refuses the change. */
function change(world: World, id: string, sent: Sent): DemoResponse | QuickReportRow {
  const old = world.table('quickReports').get(id)
  if (!old) return notFound
  if (isTooLate(world, old)) return refused('ec00012')
  if (old.confirmed) return refused('ec00008')
  const inTime = sent.inTime ?? old.inTime
  const loginUserId = sent.loginUserId ?? old.loginUserId
  const row: QuickReportRow = { ...old, ...sent, inTime, loginUserId, origin: 'call' }
  const errors = faultsOf(sent, row)
  return errors.length > 0 ? { status: 422, json: { errors } } : row
}

const update = withBody(updateBody, (sent, { params: [id = ''] }, world) => {
  const row = change(world, id, sent)
  if ('status' in row) return row
  world.table('quickReports').put(id, row)
  return noContent
})

/** Registers the exit of one or several reports: all or none. */
const exit = withBody(exitBody, ({ quickReports, ...sent }, _, world) => {
  if (quickReports.length === 0) return refused('ec00013')
  const rows = quickReports.map(({ id }) => change(world, id, sent))
  for (const row of rows) if ('status' in row) return row
  for (const row of rows) if (!('status' in row)) world.table('quickReports').put(row.id, row)
  return noContent
})

const read: Handler = ({ params: [id = ''] }, world) => {
  const report = world.table('quickReports').get(id)
  return report ? ok(viewOf(world, report)) : notFound
}

export const quickReportRoutes: Route[] = [
  { method: 'POST', path: 'quickReport', handle: enter },
  { method: 'PUT', path: 'quickReport/requestUpdate', handle: exit },
  { method: 'GET', path: 'quickReport/:id', handle: read },
  { method: 'PUT', path: 'quickReport/:id', handle: update },
]
