/** What is to be moved: which collections, from which version to which, and with what of the replication. */
import type { Steps } from '#schemas/migrations/step.ts'
import { readAll } from './idb.ts'
import { movedKnown, movedRow, type MovedSchema, type Way } from './moved-document.ts'
import {
  INTERNAL_DOCS,
  LAYOUT_ROW,
  layoutOf,
  rowOf,
  rowOfCollection,
  type LayoutRow,
} from './stored-layout.ts'

export interface Layout {
  schemas: Readonly<Record<string, MovedSchema & { readonly version: number }>>
  migrations: Steps
}

export type Row = Record<string, unknown>
type MoveRow = (row: Row) => Row | null

/** What is to be moved, and what is known of it. */
export async function waysOf(
  internal: IDBDatabase,
  { layout, durable }: { layout: Layout; durable: readonly string[] },
) {
  const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
  const [keys, stored, own] = await readAll([docs.getAllKeys(), docs.getAll(), docs.get(LAYOUT_ROW)])
  const row = rowOf(own)
  const { versions, strays: found } = layoutOf(keys.map(String), row)
  const wayOf = (collection: string, from: number | undefined): Way[] => {
    const schema = layout.schemas[collection]
    if (!schema || from === undefined || from >= schema.version) return []
    const steps = Reflect.get(layout.migrations, collection) as Way['steps'] | undefined
    const isDurable = durable.includes(collection)
    return [{ collection, from, to: schema.version, schema, steps: steps ?? {}, isDurable }]
  }
  const ways = Object.keys(layout.schemas).flatMap((name) => wayOf(name, versions.get(name)))
  const strays = found.flatMap(({ collection, version }) => wayOf(collection, version))
  return {
    ways,
    strays,
    row: { ...row, connected: { ...row.connected, ...connectedIn(stored as Row[], ways) } },
  }
}

/** RxDB's list of what belongs to a collection; after a switch it makes it anew, and may not have done so yet. */
function connectedIn(stored: readonly Row[], ways: readonly Way[]): LayoutRow['connected'] {
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
  name: string
  primaryKey: string
  indexes: MovedSchema['indexes']
  move: MoveRow
}

/** The records, and what the replication knew of the CRM's. */
export const storesOf = (way: Way, { connected }: LayoutRow): StoreMove[] => [
  {
    name: way.collection,
    primaryKey: way.schema.primaryKey,
    indexes: way.schema.indexes,
    move: (row) => movedRow(row, way),
  },
  ...(connected[way.collection] ?? []).map((name) => ({
    name,
    primaryKey: 'id',
    indexes: [],
    move: (row: Row) => movedKnown(row, way),
  })),
]
