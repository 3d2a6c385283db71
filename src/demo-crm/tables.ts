/** The record types of the demo CRM, each with its seed and routes. */
import type { Route } from '#demo-crm/world/call.ts'
import { customerLocationChangeRequests } from './resources/customer-location-change-request.ts'
import { emergencyReports } from './resources/emergency-report.ts'
import { locationContactChangeRequests } from './resources/location-contact-change-request.ts'
import { notes } from './resources/note-location-area.ts'
import { quickReports } from './resources/quick-report.ts'
import { safety } from './resources/safety-measure.ts'
import type { RecordRows, RecordTableName, TableName, World } from '#demo-crm/world/world.ts'
import { visitsBetween } from './seed/visits.ts'
import { addDays } from '#demo-crm/seed/tokyo-day.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { requestRowOf } from '#demo-crm/resources/request.ts'

interface RecordTable<R> {
  seed(group: string, now: number): R[]
  routes: Route[]
}

export const recordTables: { readonly [N in RecordTableName]: RecordTable<RecordRows[N]> } = {
  quickReports,
  emergencyReports,
  safety,
  customerLocationChangeRequests,
  locationContactChangeRequests,
  notes,
}

const isRecordTable = (name: string): name is RecordTableName => Object.hasOwn(recordTables, name)
const recordTableNames = Object.keys(recordTables).filter(isRecordTable)

/** Returns the seed rows of a table for a group: a request, or for notes a location area. */
export const seedOf = (name: TableName, group: string, now: number): unknown[] =>
  isRecordTable(name) ? recordTables[name].seed(group, now) : []

const DAYS_BACK = 3
const DAYS_AHEAD = 14

/** Rows with their `origin`: `seed`, or `call` if a call or another company has created or changed the row. */
type RecordsByTable = { [N in RecordTableName]: (RecordRows[N] & { origin: 'seed' | 'call' })[] }
export type DemoState = ReturnType<typeof inspectWorld>

/** Returns the content of the CRM. */
export function inspectWorld(world: World) {
  const visits = visitsBetween(addDays(world.today, -DAYS_BACK), addDays(world.today, DAYS_AHEAD))
  const groups = [...new Set(visits.map((visit) => visit.id)), ...areas.map((area) => area.id)]
  const rowsOf = (name: RecordTableName) => {
    const table = world.table(name)
    const stored = new Map(table.stored().map((row) => [row.id, row]))
    const all = [...groups.flatMap((group) => table.of(group)), ...stored.values()]
    const distinct = [...new Map(all.map((row) => [row.id, row])).values()]
    return distinct.map((row) => ({ ...row, origin: stored.has(row.id) ? 'call' : 'seed' }))
  }
  return {
    ...(Object.fromEntries(recordTableNames.map((name) => [name, rowsOf(name)])) as RecordsByTable),
    today: world.today,
    folders: world.table('folders').stored(),
    files: world.table('files').stored(),
    requests: (from: string, to: string) =>
      visitsBetween(from, to).map((visit) => requestRowOf(world, visit)),
  }
}
