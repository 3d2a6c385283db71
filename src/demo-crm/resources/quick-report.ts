/** Quick reports: entry and exit of one request on one day (crm-contract 4). */
import { type } from 'arktype'
import { QuickReportType, Reason1, Reason2 } from '#schemas/codes.ts'
import { QUICK_REPORT_UPDATE_DAYS, REPORT_CONTENT_MAX } from '#schemas/limits.ts'
import { field, reads, reply, withBody, type DemoResponse } from '#demo-crm/world/call.ts'
import { endTime, startTime, type SeedVisit, isDone, minutesLater, STAFF } from '../seed/visits.ts'
import { addDays, tokyoDay } from '#demo-crm/seed/tokyo-day.ts'
import { ofVisits, ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import { quickReportId, type World } from '#demo-crm/world/world.ts'
import { hash } from '#demo-crm/seed/hash.ts'

/** A missing entry time means that it does not change (crm-contract 4). */
const updateBody = type({
  '+': 'delete',
  inTime: field.momentOrNull,
  outTime: field.momentOrNull,
  type: field.maybe,
  reason1: field.maybe,
  reason2: field.maybe,
  reportContent: field.textOrNull(REPORT_CONTENT_MAX),
  loginUserId: field.user,
})
type Sent = typeof updateBody.infer

type QuickReportRow = Sent &
  Record<'id' | 'requestId' | 'workingDate' | 'workingDateType' | 'inTime', string> & { confirmed: boolean }
declare module '#demo-crm/world/world.ts' {
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
    request: [visit ?? []].flat().map((each) => ({
      id: each.id,
      requestCode: each.requestCode,
      workingDate: each.workingDate,
      workingStartTime: startTime(each),
      workingEndTime: endTime(each),
      ttsOrder: ttsOrderOf(each),
    })),
  }
}

const entryBody = type({
  requestId: field.given,
  workingDate: field.day,
  workingDateType: field.maybe,
  inTime: field.moment,
  loginUserId: field.user,
})

const enter = withBody(entryBody, ({ requestId, workingDate, inTime, loginUserId }, _, world) => {
  const visit = visitFor(world, requestId, workingDate)
  if (!visit) return reply.notFound
  const id = quickReportId(requestId, workingDate)
  if (world.table('quickReports').get(id)) return reply.refused('ec00011')
  world.table('quickReports').put(id, {
    ...updateBody.assert({ loginUserId }),
    id,
    requestId,
    workingDate,
    inTime,
    workingDateType: visit.workingDateType,
    confirmed: false,
  })
  return reply.ok({ id, inTime })
})

const exitBody = updateBody.omit('inTime').merge({
  '+': 'delete',
  outTime: field.moment,
  type: field.given,
  quickReports: type({ id: field.given }).array(),
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

function change(world: World, id: string, sent: Sent): DemoResponse | QuickReportRow {
  const old = world.table('quickReports').get(id)
  if (!old) return reply.notFound
  if (isTooLate(world, old)) return reply.refused('ec00012')
  if (old.confirmed) return reply.refused('ec00008')
  const inTime = sent.inTime ?? old.inTime
  const loginUserId = sent.loginUserId || old.loginUserId
  const row = { ...old, ...sent, inTime, loginUserId }
  const errors = faultsOf(sent, row)
  return errors.length > 0 ? { status: 422, json: { errors } } : row
}

const update = withBody(updateBody, (sent, { params: [id = ''] }, world) => {
  const row = change(world, id, sent)
  if ('status' in row) return row
  world.table('quickReports').put(id, row)
  return reply.noContent
})

const exit = withBody(exitBody, ({ quickReports, ...sent }, _, world) => {
  if (quickReports.length === 0) return reply.refused('ec00013')
  const rows = quickReports.map(({ id }) => change(world, id, { ...sent, inTime: null }))
  for (const row of rows) if ('status' in row) return row
  for (const row of rows) if (!('status' in row)) world.table('quickReports').put(row.id, row)
  return reply.noContent
})

const end = (code: string, reason1: string | null, reason2: string | null, reportContent: string | null) => ({
  type: code,
  reason1,
  reason2,
  reportContent,
})

/** The result of a past visit: mostly completed, sometimes postponed; each day but the last 当日作業分完了. */
function endOf(visit: SeedVisit) {
  if (visit.workingDate !== visit.lastDay)
    return end('2', '6', null, '予定どおり進行。残りは翌日に作業します。')
  if (visit.slot === 4 && hash(`q ${visit.id}`) % 3 === 0)
    return end('3', null, '2', '管理人様に日程の連絡が届いておらず延期。')
  return end('1', null, null, visit.slot % 2 === 0 ? '異常なし。試運転確認済。' : null)
}

export const seedQuickReports = (visits: SeedVisit[], now: number): QuickReportRow[] =>
  visits
    .filter((visit) => isDone(visit, now))
    .map((visit) => ({
      id: quickReportId(visit.id, visit.workingDate),
      requestId: visit.id,
      workingDate: visit.workingDate,
      workingDateType: visit.workingDateType,
      inTime: minutesLater(startTime(visit), -2),
      outTime: minutesLater(endTime(visit), -9),
      ...endOf(visit),
      confirmed: visit.workingDate <= addDays(tokyoDay(now), -3) && visit.slot % 2 === 0,
      loginUserId: STAFF,
    }))

export const quickReports = ofVisits(seedQuickReports, [
  { method: 'POST', path: 'quickReport', handle: enter },
  { method: 'PUT', path: 'quickReport/requestUpdate', handle: exit },
  { method: 'GET', path: 'quickReport/:id', handle: reads('quickReports', viewOf) },
  { method: 'PUT', path: 'quickReport/:id', handle: update },
])
