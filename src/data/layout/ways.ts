/** What is to be moved: which collections, from which version to which, and with what of the replication. */
import type { Moved } from '#schemas/migrations/moved.ts'
import type { Step, Steps } from '#schemas/migrations/step.ts'
import { readAll } from './idb.ts'
import { movedKnown, movedRow, underKind, type MovedSchema, type Way } from './moved-document.ts'
import {
  INTERNAL_DOCS,
  LAYOUT_ROW,
  layoutOf,
  rowOf,
  rowOfCollection,
  storeName,
  versionsOf,
  type LayoutRow,
} from './stored-layout.ts'

export interface Layout {
  schemas: Readonly<Record<string, MovedSchema & { readonly version: number }>>
  migrations: Steps
  /** Collections that became kinds of a shared one. */
  moved: Moved
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
  const wayOf = (collection: string, from: number | undefined) => oneWay(layout, durable, collection, from)
  const all = Object.keys(versionsOf(layout)).flatMap((name) => wayOf(name, versions.get(name)))
  // a shared collection that holds already is added to, document by document
  const isHeld = ({ collection, into }: Way) =>
    into.collection !== collection && versions.get(into.collection) === into.version
  const ways = all.filter((way) => !isHeld(way))
  const strays = found.flatMap(({ collection, version }) => wayOf(collection, version))
  return {
    ways,
    strays: [...all.filter(isHeld), ...strays],
    row: { ...row, connected: { ...row.connected, ...connectedIn(stored as Row[], ways) } },
  }
}

function oneWay(
  { schemas, migrations, moved }: Layout,
  durable: readonly string[],
  collection: string,
  from: number | undefined,
): Way[] {
  const move = moved[collection]
  const name = move?.into ?? collection
  const schema = schemas[name]
  const to = move?.version ?? schema?.version
  if (!schema || to === undefined || from === undefined || from >= to) return []
  const stepsOf = (of: string, since: number, until: number): Way['steps'] =>
    Array.from({ length: until - since }, (_, i) => ({
      version: `${since + i + 1}`,
      step: (Reflect.get(migrations, of) as Record<number, Step> | undefined)?.[since + i + 1],
    }))
  const steps = move
    ? [
        ...stepsOf(collection, from, to - 1),
        { version: `${to}`, step: underKind(collection, move.primaryKey) },
        ...stepsOf(name, move.at, schema.version),
      ]
    : stepsOf(collection, from, to)
  const into = { collection: name, version: schema.version }
  const primaryKey = move?.primaryKey ?? schema.primaryKey
  return [{ collection, from, to, primaryKey, into, schema, steps, isDurable: durable.includes(name) }]
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
  from: string
  to: string
  primaryKey: string
  indexes: MovedSchema['indexes']
  move: MoveRow
}

/** The records, and what the replication knew of the CRM's; of a collection that became a kind it begins anew. */
export const storesOf = (database: string, way: Way, { connected }: LayoutRow): StoreMove[] => [
  {
    from: storeName(database, way.from, way.collection),
    to: storeName(database, way.into.version, way.into.collection),
    primaryKey: way.schema.primaryKey,
    indexes: way.schema.indexes,
    move: (row) => movedRow(row, way),
  },
  ...(way.into.collection === way.collection ? (connected[way.collection] ?? []) : []).map((name) => ({
    from: storeName(database, way.from, name),
    to: storeName(database, way.to, name),
    primaryKey: 'id',
    indexes: [],
    move: (row: Row) => movedKnown(row, way),
  })),
]

/** The databases that nobody needs once the ways are gone. */
export const leftBy = (database: string, { collection, from }: Way, { connected }: LayoutRow): string[] =>
  [collection, ...(connected[collection] ?? [])].map((name) => storeName(database, from, name))
