/** Quick reports: entry and exit of one request on one day (crm-contract 4). */
import { type } from 'arktype'
import { QuickReportType, Reason1, Reason2 } from '#schemas/codes.ts'
import { QUICK_REPORT_UPDATE_DAYS, REPORT_CONTENT_MAX } from '#schemas/limits.ts'
import {
  noContent,
  notFound,
  ok,
  refused,
  type DemoResponse,
  type Route,
  day,
  given,
  maybe,
  moment,
  momentOrNull,
  textOrNull,
  withBody,
  reads,
} from '#demo-crm/world/call.ts'
import { quickReportId, type OfOrigin } from '#demo-crm/world/rows.ts'
import { endTime, startTime, type SeedVisit, isDone, minutesLater, STAFF } from '../seed/visits.ts'
import { addDays, atTime, tokyoDay } from '#demo-crm/seed/tokyo-day.ts'
import { ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import type { World } from '#demo-crm/world/world.ts'
import { hash } from '#demo-crm/seed/hash.ts'

/** A missing field means null; only a missing entry time means that it does not change (crm-contract 2, 4). */
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
  confirmed: boolean
  loginUserId: string
}
declare module '#demo-crm/world/rows.ts' {
  interface RecordRows {
    quickReports: QuickReportRow
  }
}

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

const exitBody = updateBody
  .omit('inTime')
  .merge({ '+': 'delete', outTime: moment, type: given, quickReports: type({ id: given }).array() })

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

const exit = withBody(exitBody, ({ quickReports, ...sent }, _, world) => {
  if (quickReports.length === 0) return refused('ec00013')
  const rows = quickReports.map(({ id }) => change(world, id, sent))
  for (const row of rows) if ('status' in row) return row
  for (const row of rows) if (!('status' in row)) world.table('quickReports').put(row.id, row)
  return noContent
})

const read = reads('quickReports', viewOf)

export const quickReportRoutes: Route[] = [
  { method: 'POST', path: 'quickReport', handle: enter },
  { method: 'PUT', path: 'quickReport/requestUpdate', handle: exit },
  { method: 'GET', path: 'quickReport/:id', handle: read },
  { method: 'PUT', path: 'quickReport/:id', handle: update },
]

/** The result of a past visit: mostly completed, sometimes postponed; each day but the last 当日作業分完了. */
function endOf(visit: SeedVisit): Pick<QuickReportRow, 'type' | 'reason1' | 'reason2' | 'reportContent'> {
  if (visit.workingDate !== visit.lastDay)
    return {
      type: '2',
      reason1: '6',
      reason2: null,
      reportContent: '予定どおり進行。残りは翌日に作業します。',
    }
  if (visit.slot === 4 && hash(`q ${visit.id}`) % 3 === 0)
    return {
      type: '3',
      reason1: null,
      reason2: '2',
      reportContent: '管理人様に日程の連絡が届いておらず延期。',
    }
  return {
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: visit.slot % 2 === 0 ? '異常なし。試運転確認済。' : null,
  }
}

export const seedQuickReports = (visits: SeedVisit[], now: number): QuickReportRow[] =>
  visits
    .filter((visit) => isDone(visit, now))
    .map((visit) => ({
      id: quickReportId(visit.id, visit.workingDate),
      requestId: visit.id,
      workingDate: visit.workingDate,
      workingDateType: visit.workingDateType,
      inTime: atTime(visit.workingDate, minutesLater(visit.start, -2)),
      outTime: atTime(visit.workingDate, minutesLater(visit.end, -9)),
      ...endOf(visit),
      confirmed: visit.workingDate <= addDays(tokyoDay(now), -3) && visit.slot % 2 === 0,
      loginUserId: STAFF,
      origin: 'seed' as const,
    }))
