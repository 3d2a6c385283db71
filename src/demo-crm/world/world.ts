/** The CRM's state during one call: seed and stored changes. Its writes are stored together by `flush`. */
// oxlint-disable typescript/no-unsafe-type-assertion -- the store holds only what this module wrote
import { groupOf, type TableRows, type TableName, type FolderRow } from './rows.ts'
import type { DemoTransaction } from './store.ts'
import { tokyoDay } from '#demo-crm/seed/tokyo-day.ts'

interface Table<T> {
  get(id: string): T | undefined
  of(group: string): T[]
  put(id: string, row: T): void
  remove(id: string): void
  stored(): [id: string, row: T][]
}

export interface World {
  now: number
  today: string
  table<N extends TableName>(name: N): Table<TableRows[N]>
  bytes(fileSeq: string): Promise<ArrayBuffer | undefined>
  putBytes(fileSeq: string, bytes: ArrayBuffer | null): void
  flush(): Promise<void>
}

type SeedOf = (group: string) => unknown[]

const ROW = 'row/'
const BYTES = 'bytes/'
const rowKey = (name: TableName, id: string) => `${ROW}${name}/${id}`

type Seed = (name: TableName, group: string, now: number) => unknown[]

export async function openWorld(tx: DemoTransaction, now: number, seed: Seed): Promise<World> {
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
      openTable<TableRows[N]>(name, rows, set, (group) => seed(name, group, now)),
    bytes: async (fileSeq) => (await tx.get(BYTES + fileSeq)) as ArrayBuffer | undefined,
    putBytes: (fileSeq, bytes) => void writes.set(BYTES + fileSeq, bytes ?? undefined),
    flush: async () => {
      if (writes.size > 0) await tx.write(writes)
    },
  }
}

function openTable<T>(
  name: TableName,
  rows: Map<string, unknown>,
  set: (key: string, value: unknown) => void,
  seedOf: SeedOf,
): Table<T> {
  const prefix = rowKey(name, '')
  const stored = () =>
    [...rows].flatMap(([key, row]): [string, T][] =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), row as T]] : [],
    )
  const of = (group: string): T[] => {
    const merged = new Map((seedOf(group) as (T & { id: string })[]).map((row): [string, T] => [row.id, row]))
    for (const [id, row] of stored()) if (groupOf(id) === group) merged.set(id, row)
    return [...merged.values()]
  }
  return {
    get: (id) =>
      (rows.get(rowKey(name, id)) as T | undefined) ??
      (seedOf(groupOf(id)) as (T & { id: string })[]).find((row) => row.id === id),
    of,
    put: (id, row) => set(rowKey(name, id), row),
    remove: (id) => set(rowKey(name, id), undefined),
    stored,
  }
}

const CREATED = 'fd-'

export const newFolderId = () => `${CREATED}${crypto.randomUUID().slice(0, 18)}`

/** Returns the folder with this name in a parent folder; undefined if there is none. */
export const folderNamed = (world: World, parentId: string, name: string): FolderRow | undefined =>
  world
    .table('folders')
    .stored()
    .map(([, folder]) => folder)
    .find((folder) => folder.parentId === parentId && folder.name === name)

/** True if a folder exists. The top folders always exist; calls create all others. */
export const isFolder = (world: World, id: string) =>
  !id.startsWith(CREATED) || world.table('folders').get(id) !== undefined
