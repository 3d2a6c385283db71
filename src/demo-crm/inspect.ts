/** What the CRM holds, for tests: the seed of the days around today and everything that calls have made. */
import type { FileRow, Rows, TableName } from './rows.ts'
import { areas } from './seed/locations.ts'
import { visitsBetween } from './seed/visits.ts'
import { rowOf } from './resources/request.ts'
import { addDays } from './tokyo-day.ts'
import type { World } from './world.ts'

const DAYS_BACK = 3
const DAYS_AHEAD = 14

/** Rows carry `origin`: `seed`, or `call` for what a call made or changed. */
export interface DemoState {
  /** The CRM's day in Tokyo. */
  today: string
  quickReports: Rows['quickReports'][]
  emergencyReports: Rows['emergencyReports'][]
  safety: Rows['safety'][]
  customerLocationChangeRequests: Rows['customerLocationChangeRequests'][]
  locationContactChangeRequests: Rows['locationContactChangeRequests'][]
  notes: Rows['notes'][]
  folders: Rows['folders'][]
  files: FileRow[]
  /** The search rows of days `from` to `to`, both included, as they were at the time of `inspect`. */
  requests: (from: string, to: string) => ReturnType<typeof rowOf>[]
}

type Grouped = Exclude<
  TableName,
  'folders' | 'files' | 'accessTokens' | 'refreshTokens' | 'fileTokens' | 'answers' | 'counters'
>

export function inspectWorld(world: World): DemoState {
  const visits = visitsBetween(addDays(world.today, -DAYS_BACK), addDays(world.today, DAYS_AHEAD))
  const requestIds = [...new Set(visits.map((visit) => visit.id))]
  const rowsOf = <N extends Grouped>(name: N, groups: string[]): Rows[N][] => {
    const table = world.table(name)
    const all = [...groups.flatMap((group) => table.of(group)), ...table.stored().map(([, row]) => row)]
    return [...new Map(all.map((row): [string, Rows[N]] => [row.id, row])).values()]
  }
  const areaIds = areas.map((area) => area.id)
  return {
    today: world.today,
    quickReports: rowsOf('quickReports', requestIds),
    emergencyReports: rowsOf('emergencyReports', requestIds),
    safety: rowsOf('safety', requestIds),
    customerLocationChangeRequests: rowsOf('customerLocationChangeRequests', requestIds),
    locationContactChangeRequests: rowsOf('locationContactChangeRequests', requestIds),
    notes: rowsOf('notes', areaIds),
    folders: world
      .table('folders')
      .stored()
      .map(([, row]) => row),
    files: world
      .table('files')
      .stored()
      .map(([, row]) => row),
    requests: (from, to) => visitsBetween(from, to).map((visit) => rowOf(world, visit)),
  }
}
