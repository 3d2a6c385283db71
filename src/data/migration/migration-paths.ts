/** Finds the collections that need a migration, the versions in between, and the stores that must be copied. */
import type { Step, Steps } from '#schemas/migrations/step.ts'
import { resultsOf } from '#data/storage/idb.ts'
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

/** Returns the collections to migrate, and the stored row that names the valid versions (`LayoutRow`). */
export async function migrationPaths(
  internal: IDBDatabase,
  { layout, durable }: { layout: Layout; durable: readonly string[] },
) {
  const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
  const requests = [docs.getAllKeys(), docs.getAll(), docs.get(LAYOUT_ROW)] as const
  const [keys, stored, layoutRow] = await resultsOf(requests)
  const row = rowOf(layoutRow)
  const { versions } = layoutOf(keys.map(String), row)
  const paths = Object.keys(layout.schemas).flatMap((name) =>
    pathOf(layout, durable, name, versions.get(name)),
  )
  return { paths, row: { ...row, connected: { ...row.connected, ...connectedIn(stored as Row[], paths) } } }
}

function pathOf(
  { schemas, migrations }: Layout,
  durable: readonly string[],
  collection: string,
  from: number | undefined,
): MigrationPath[] {
  const schema = schemas[collection]
  if (!schema || from === undefined || from >= schema.version) return []
  const steps = Array.from({ length: schema.version - from }, (_, i) => {
    const version = from + i + 1
    const ownSteps = Reflect.get(migrations, collection) as Record<number, Step> | undefined
    return { version: `${version}`, step: ownSteps?.[version] }
  })
  const isDurable = durable.includes(collection)
  return [{ collection, from, to: schema.version, schema, steps, isDurable }]
}

/**
 * Returns the replication stores of each collection, as RxDB's own row of the collection lists them. `LayoutRow` keeps
 * these lists too, because RxDB writes its rows anew after a migration.
 */
function connectedIn(stored: readonly Row[], paths: readonly MigrationPath[]): LayoutRow['connected'] {
  const connected = paths.flatMap(({ collection, from }) => {
    const row = stored.find(({ id }) => id === rowOfCollection(collection, from))
    const { connectedStorages = [] } = (row?.['data'] ?? {}) as {
      connectedStorages?: { collectionName: string }[]
    }
    const names = connectedStorages.map(({ collectionName }) => collectionName)
    return names.length > 0 ? [[collection, names] as const] : []
  })
  return Object.fromEntries(connected)
}

/** Describes the copy of one store: the names of its databases, the tables to create, and the conversion of a row. */
export interface StoreMove {
  from: string
  to: string
  primaryKey: string
  indexes: MovedSchema['indexes']
  move: MoveRow
}

/** Returns the stores of a collection to copy: its records and its replication metadata. */
export const storesOf = (database: string, path: MigrationPath, { connected }: LayoutRow): StoreMove[] => [
  {
    from: storeName(database, path.from, path.collection),
    to: storeName(database, path.to, path.collection),
    primaryKey: path.schema.primaryKey,
    indexes: path.schema.indexes,
    move: (row) => movedRow(row, path),
  },
  ...(connected[path.collection] ?? []).map((name) => ({
    from: storeName(database, path.from, name),
    to: storeName(database, path.to, name),
    primaryKey: 'id',
    indexes: [],
    move: (row: Row) => movedKnown(row, path),
  })),
]

/** Returns the databases that are unused once the new stores are valid. */
export const leftBy = (
  database: string,
  { collection, from }: MigrationPath,
  { connected }: LayoutRow,
): string[] => [collection, ...(connected[collection] ?? [])].map((name) => storeName(database, from, name))
