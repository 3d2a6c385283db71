/** The record types of the demo CRM, each with its seed and routes. */
import type { Route } from '#demo-crm/world/call.ts'
import {
  customerLocationChangeRequestRoutes,
  seedCustomerLocationChanges,
} from './resources/customer-location-change-request.ts'
import { emergencyReportRoutes, seedEmergencyReports } from './resources/emergency-report.ts'
import {
  locationContactChangeRequestRoutes,
  seedContactChanges,
} from './resources/location-contact-change-request.ts'
import { noteLocationAreaRoutes, seedNotes } from './resources/note-location-area.ts'
import { quickReportRoutes, seedQuickReports } from './resources/quick-report.ts'
import { safetyMeasureRoutes, seedSafety } from './resources/safety-measure.ts'
import type {
  RecordRows,
  RecordTableName,
  TableName,
  FileRow,
  FolderRow,
  TableRows,
} from '#demo-crm/world/rows.ts'
import { seedVisitsOfRequest, type SeedVisit, visitsBetween } from './seed/visits.ts'
import { tokyoDay, addDays } from '#demo-crm/seed/tokyo-day.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { requestRowOf } from '#demo-crm/resources/request.ts'
import type { World } from '#demo-crm/world/world.ts'

interface RecordTable<R> {
  seed(group: string, now: number): R[]
  routes: Route[]
}

const ofVisits = <R>(seed: (visits: SeedVisit[], now: number) => R[], routes: Route[]): RecordTable<R> => ({
  seed: (id, now) => seed(seedVisitsOfRequest(id), now),
  routes,
})

export const recordTables: { readonly [N in RecordTableName]: RecordTable<RecordRows[N]> } = {
  quickReports: ofVisits(seedQuickReports, quickReportRoutes),
  emergencyReports: ofVisits(seedEmergencyReports, emergencyReportRoutes),
  safety: ofVisits(seedSafety, safetyMeasureRoutes),
  customerLocationChangeRequests: ofVisits(seedCustomerLocationChanges, customerLocationChangeRequestRoutes),
  locationContactChangeRequests: ofVisits(seedContactChanges, locationContactChangeRequestRoutes),
  notes: {
    seed: (areaId: string, now: number) => seedNotes(areaId, tokyoDay(now)),
    routes: noteLocationAreaRoutes,
  },
}

const isRecordTable = (name: string): name is RecordTableName => Object.hasOwn(recordTables, name)
const recordTableNames = Object.keys(recordTables).filter(isRecordTable)

/** Returns the seed rows of a table for a group: a request, or for notes a location area. */
export const seedOf = (name: TableName, group: string, now: number): unknown[] =>
  isRecordTable(name) ? recordTables[name].seed(group, now) : []

const DAYS_BACK = 3
const DAYS_AHEAD = 14

type RecordsByTable = { [N in RecordTableName]: TableRows[N][] }

/** Content of the CRM. A row's `origin` is `seed`, or `call` if a call has created or changed the row. */
export interface DemoState extends RecordsByTable {
  today: string
  folders: FolderRow[]
  files: FileRow[]
  requests: (from: string, to: string) => ReturnType<typeof requestRowOf>[]
}

const storedIn = <T>(table: { stored(): [id: string, row: T][] }): T[] => table.stored().map(([, row]) => row)

export function inspectWorld(world: World): DemoState {
  const visits = visitsBetween(addDays(world.today, -DAYS_BACK), addDays(world.today, DAYS_AHEAD))
  const groups = [...new Set(visits.map((visit) => visit.id)), ...areas.map((area) => area.id)]
  const rowsOf = <N extends RecordTableName>(name: N): TableRows[N][] => {
    const table = world.table(name)
    const all = [...groups.flatMap((group) => table.of(group)), ...storedIn(table)]
    return [...new Map(all.map((row): [string, TableRows[N]] => [row.id, row])).values()]
  }
  return {
    ...(Object.fromEntries(recordTableNames.map((name) => [name, rowsOf(name)])) as RecordsByTable),
    today: world.today,
    folders: storedIn(world.table('folders')),
    files: storedIn(world.table('files')),
    requests: (from, to) => visitsBetween(from, to).map((visit) => requestRowOf(world, visit)),
  }
}
