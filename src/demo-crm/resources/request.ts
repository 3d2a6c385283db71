/** Requests: one row for each request and working day (crm-contract 4). */
import { SafetyDirection } from '#schemas/codes.ts'
import { page, reply, type Handler, type Route } from '#demo-crm/world/call.ts'
import { devicesOf, goodsOf, underPitOf } from '../seed/equipment.ts'
import { endTime, startTime, visitsBetween, type SeedVisit } from '../seed/visits.ts'
import { addDays } from '#demo-crm/seed/tokyo-day.ts'
import { changesOf, RegistrationState, ttsOrderOf, visitFor } from '#demo-crm/world/visit-view.ts'
import { quickReportId, type World } from '#demo-crm/world/world.ts'
import { summaryOf } from './quick-report.ts'
import { neededSafety, safetyView } from './safety-measure.ts'

const DAYS_BACK = 90
const DAYS_AHEAD = 60

function safetyStatusOf(world: World, visit: SeedVisit): string {
  const needed = neededSafety(visit)
  if (needed.length === 0) return '0'
  const measures = world.table('safety').of(visit.id)
  const isRegistered = (type: string) =>
    measures.some((row) => row.safetyType === type && row.workingDate === visit.workingDate)
  const registered = needed.filter(isRegistered).length
  return registered === 0 ? '1' : registered < needed.length ? '2' : '3'
}

/** Returns a request as the search returns it. A read of one request returns more fields (`wholeOf`). */
export function requestRowOf(world: World, visit: SeedVisit) {
  const notes = world.table('notes').of(visit.area.id).length
  const report = world.table('quickReports').get(quickReportId(visit.id, visit.workingDate))
  return {
    id: visit.id,
    requestCode: visit.requestCode,
    workingDate: visit.workingDate,
    workingDateType: visit.workingDateType,
    workingStartTime: startTime(visit),
    workingEndTime: endTime(visit),
    noWaterStartTime: visit.hasNoWater ? startTime(visit) : null,
    noWaterEndTime: visit.hasNoWater ? endTime(visit) : null,
    notificationDistributionDate: visit.distribution?.date ?? null,
    notificationDistributionName: visit.distribution?.name ?? null,
    situation: visit.situation,
    messageTts: visit.message,
    inLocationContact: visit.inContact,
    outLocationContact: visit.outContact,
    ...changesOf(world, visit),
    noteLocationAreaStatus: notes > 0 ? RegistrationState.registered : RegistrationState.unregistered,
    noteLocationAreaCount: notes,
    safetyStatus: safetyStatusOf(world, visit),
    safetyDirection: visit.directions,
    safetyDirectionName: visit.directions.map((code) => SafetyDirection.label(code)).join(';'),
    emergencyReportFolderId: `ef-${visit.id}`,
    ttsOrder: ttsOrderOf(visit),
    quickReport: report ? summaryOf(world, report) : null,
  }
}

const wholeOf = (world: World, visit: SeedVisit) => ({
  ...requestRowOf(world, visit),
  goods: goodsOf(visit.area, visit.id),
  device: devicesOf(visit.area),
  safety: world
    .table('safety')
    .of(visit.id)
    .map((row) => safetyView(world, row)),
  underPitSurvey: underPitOf(visit.area),
})

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

function isWanted(visit: SeedVisit, query: URLSearchParams): boolean {
  const parameter = (name: string) => query.get(name) ?? ''
  const flags = parameter('orderFlag').split(',').filter(Boolean)
  return (
    visit.requestCode.startsWith(parameter('requestCode')) &&
    visit.area.name.includes(parameter('locationName')) &&
    visit.area.customerName.includes(parameter('customerName')) &&
    (flags.length === 0 || flags.includes(visit.orderFlag)) &&
    (parameter('emergencyFlag') !== '1' || visit.emergency)
  )
}

const sortKey = (visit: SeedVisit) => `${visit.workingDate} ${visit.start} ${visit.id}`
const byTime = (a: SeedVisit, b: SeedVisit) => (sortKey(a) < sortKey(b) ? -1 : 1)
const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string) => (a < b ? a : b)

const searchUpTo =
  (daysAhead: () => number): Handler =>
  ({ query }, world) => {
    const [first, last] = [addDays(world.today, -DAYS_BACK), addDays(world.today, daysAhead())]
    const [from, to] = [query.get('workingDateFrom') || first, query.get('workingDateTo') || last]
    if (!isDay(from) || !isDay(to)) return reply.refused('作業日が正しい形式ではありません。')
    const visits = visitsBetween(later(from, first), earlier(to, last))
      .filter((visit) => isWanted(visit, query))
      .toSorted(byTime)
    return page(visits, query, (visit) => requestRowOf(world, visit))
  }

const read: Handler = ({ params: [id = ''], query }, world) => {
  const visit = visitFor(world, id, query.get('workingDate'))
  return visit ? reply.ok(wholeOf(world, visit)) : reply.notFound
}

/** @param daysAhead returns the number of days after today that have requests */
export const requestRoutes = (daysAhead = () => DAYS_AHEAD): Route[] => [
  { method: 'GET', path: 'request/search', handle: searchUpTo(daysAhead) },
  { method: 'GET', path: 'request/:id', handle: read },
]
