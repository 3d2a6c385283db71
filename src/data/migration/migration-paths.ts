/** What is to be moved: which collections, from which version to which, and with what of the replication. */
import type { Step, Steps } from '#schemas/migrations/step.ts'
import { readAll } from './idb.ts'
import { movedKnown, movedRow, type MovedSchema, type MigrationPath } from './moved-document.ts'
import {
  INTERNAL_DOCS,
  LAYOUT_ROW,
  layoutOf,
  rowOf,
  rowOfCollection,
  storeName,
  type LayoutRow,
} from './stored-layout.ts'

export interface Layout {
  schemas: Readonly<Record<string, MovedSchema & { readonly version: number }>>
  migrations: Steps
}

export type Row = Record<string, unknown>
type MoveRow = (row: Row) => Row | null

/** What is to be moved, and what is known of it. */
export async function migrationPaths(
  internal: IDBDatabase,
  { layout, durable }: { layout: Layout; durable: readonly string[] },
) {
  const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
  const [keys, stored, own] = await readAll([docs.getAllKeys(), docs.getAll(), docs.get(LAYOUT_ROW)])
  const row = rowOf(own)
  const { versions } = layoutOf(keys.map(String), row)
  const ways = Object.keys(layout.schemas).flatMap((name) => wayOf(layout, durable, name, versions.get(name)))
  return { ways, row: { ...row, connected: { ...row.connected, ...connectedIn(stored as Row[], ways) } } }
}

function wayOf(
  { schemas, migrations }: Layout,
  durable: readonly string[],
  collection: string,
  from: number | undefined,
): MigrationPath[] {
  const schema = schemas[collection]
  if (!schema || from === undefined || from >= schema.version) return []
  const steps = Array.from({ length: schema.version - from }, (_, i) => {
    const version = from + i + 1
    const own = Reflect.get(migrations, collection) as Record<number, Step> | undefined
    return { version: `${version}`, step: own?.[version] }
  })
  const isDurable = durable.includes(collection)
  return [{ collection, from, to: schema.version, schema, steps, isDurable }]
}

/** RxDB's list of what belongs to a collection; after a switch it makes it anew, and may not have done so yet. */
function connectedIn(stored: readonly Row[], ways: readonly MigrationPath[]): LayoutRow['connected'] {
  const found = ways.flatMap(({ collection, from }) => {
    const row = stored.find(({ id }) => id === rowOfCollection(collection, from))
    const { connectedStorages = [] } = (row?.['data'] ?? {}) as {
      connectedStorages?: { collectionName: string }[]
    }
    const names = connectedStorages.map(({ collectionName }) => collectionName)
    return names.length > 0 ? [[collection, names] as const] : []
  })
  return Object.fromEntries(found)
}

export interface StoreMove {
  from: string
  to: string
  primaryKey: string
  indexes: MovedSchema['indexes']
  move: MoveRow
}

/** The records, and what the replication knew of the CRM's. */
export const storesOf = (database: string, way: MigrationPath, { connected }: LayoutRow): StoreMove[] => [
  {
    from: storeName(database, way.from, way.collection),
    to: storeName(database, way.to, way.collection),
    primaryKey: way.schema.primaryKey,
    indexes: way.schema.indexes,
    move: (row) => movedRow(row, way),
  },
  ...(connected[way.collection] ?? []).map((name) => ({
    from: storeName(database, way.from, name),
    to: storeName(database, way.to, name),
    primaryKey: 'id',
    indexes: [],
    move: (row: Row) => movedKnown(row, way),
  })),
]

/** The databases that nobody needs once the ways are gone. */
export const leftBy = (
  database: string,
  { collection, from }: MigrationPath,
  { connected }: LayoutRow,
): string[] => [collection, ...(connected[collection] ?? [])].map((name) => storeName(database, from, name))
