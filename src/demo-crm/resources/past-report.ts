/** Past reports of a machine, newest first; 404 if the machine has none (crm-contract 4). */
import { notFound, page, type Handler, type Route } from '#demo-crm/world/call.ts'
import { seedPastReports } from '../seed/past-report.ts'

const list: Handler = ({ params: [deviceId = ''], query }, world) => {
  const reports = seedPastReports(deviceId, world.today)
  return reports.length > 0 ? page(reports, query, (report) => report) : notFound
}

export const pastReportRoutes: Route[] = [{ method: 'GET', path: 'report/:deviceId', handle: list }]
