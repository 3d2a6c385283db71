/** Returns the CRM's content for tests: the seed of the days around today, and all rows that calls have created. */
import type { FileRow, FolderRow, RecordTableName, TableRows } from '#demo-crm/world/rows.ts'
import { recordTableNames } from './tables.ts'
import { areas } from './seed/locations.ts'
import { visitsBetween } from './seed/visits.ts'
import { requestRowOf } from './resources/request.ts'
import { addDays } from '#demo-crm/seed/tokyo-day.ts'
import type { World } from '#demo-crm/world/world.ts'

const DAYS_BACK = 3
const DAYS_AHEAD = 14

type RecordsByTable = { [N in RecordTableName]: TableRows[N][] }

/** Content of the CRM. A row's `origin` is `seed`, or `call` if a call has created or changed the row. */
export interface DemoState extends RecordsByTable {
  /** Today in Tokyo by the CRM's clock. */
  today: string
  folders: FolderRow[]
  files: FileRow[]
  /** Returns what a search of the days `from` to `to` (both inclusive) would have returned at the time of `inspect`. */
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
