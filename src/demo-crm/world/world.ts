/** The CRM's state during one call: seed and stored changes. Its writes are stored together by `flush`. */
// oxlint-disable typescript/no-unsafe-type-assertion -- the store holds only what this module wrote
import type { DemoTransaction } from './store.ts'
import { tokyoDay } from '#demo-crm/seed/tokyo-day.ts'

type TokenRow = { userName: string; expiresAt: number }

/** Type of the rows of each table. Each file in `resources/` adds a table to this interface. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface RecordRows {}
export type RecordTableName = keyof RecordRows

export interface TableRows extends RecordRows {
  folders: { id: string; parentId: string; name: string }
  files: {
    file_seq: string
    folderId: string
    name: string
    size: number
    sha256: string
    contentType: string
  }
  accessTokens: TokenRow
  refreshTokens: TokenRow
  fileTokens: TokenRow
  passwords: { password: string }
  answers: { status: number; json: unknown }
  counters: { value: number }
}
export type TableName = keyof TableRows

/** A record's id is `<kind>.<group>.<n>`. The group is a request, or for notes a location area. */
export const newId = (kind: string, group: string) => `${kind}.${group}.${crypto.randomUUID().slice(0, 13)}`
const groupOf = (id: string) => id.split('.')[1] ?? ''

/** Returns the id of the quick report of a request and day. There is at most one (ec00011). */
export const quickReportId = (requestId: string, workingDate: string) =>
  `qr.${requestId}.${workingDate.replaceAll('-', '')}`

const ROW = 'row/'
const BYTES = 'bytes/'

/** Returns the seed rows of a table for a group. */
type Seed = (name: TableName, group: string, now: number) => unknown[]

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(tx: DemoTransaction, now: number, seed: Seed) {
  const rows = new Map(await tx.list(ROW))
  const writes = new Map<string, unknown>()
  const set = (key: string, value: unknown) => {
    writes.set(key, value)
    if (value === undefined) rows.delete(key)
    else rows.set(key, value)
  }
  return {
    now,
    today: tokyoDay(now),
    table: <N extends TableName>(name: N) =>
      openTable<TableRows[N]>(`${ROW}${name}/`, rows, set, (group) => seed(name, group, now)),
    bytes: async (fileSeq: string) => (await tx.get(BYTES + fileSeq)) as ArrayBuffer | undefined,
    /** Stores a file's bytes; null deletes them. */
    putBytes: (fileSeq: string, bytes: ArrayBuffer | null) =>
      void writes.set(BYTES + fileSeq, bytes ?? undefined),
    flush: async () => {
      if (writes.size > 0) await tx.write(writes)
    },
  }
}

function openTable<T>(
  prefix: string,
  rows: ReadonlyMap<string, unknown>,
  set: (key: string, value: unknown) => void,
  seedOf: (group: string) => unknown[],
) {
  const entries = () => [...rows].filter(([key]) => key.startsWith(prefix)) as [string, T][]
  const seeded = (group: string) => seedOf(group) as (T & { id: string })[]
  return {
    get: (id: string) =>
      (rows.get(prefix + id) as T | undefined) ?? seeded(groupOf(id)).find((row) => row.id === id),
    /** Returns all rows of a group. A stored row replaces the seed's row. */
    of: (group: string): T[] => {
      const merged = new Map(seeded(group).map((row): [string, T] => [prefix + row.id, row]))
      for (const [key, row] of entries()) if (groupOf(key) === group) merged.set(key, row)
      return [...merged.values()]
    },
    put: (id: string, row: T) => set(prefix + id, row),
    remove: (id: string) => set(prefix + id, undefined),
    /** Returns the rows that calls have written. */
    stored: () => entries().map(([, row]) => row),
  }
}

const CREATED = 'fd-'

export const newFolderId = () => `${CREATED}${crypto.randomUUID().slice(0, 18)}`

/** Returns the folder with this name in a parent folder; undefined if there is none. */
export const folderNamed = (world: World, parentId: string, name: string) =>
  world
    .table('folders')
    .stored()
    .find((folder) => folder.parentId === parentId && folder.name === name)

/** True if a folder exists. The top folders always exist; calls create all others. */
export const isFolder = (world: World, id: string) =>
  !id.startsWith(CREATED) || world.table('folders').get(id) !== undefined
