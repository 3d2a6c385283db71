/**
 * What a phone has stored becomes what this version of the app stores. RxDB's own migration deletes each old store as soon
 * as its copy is made, one collection after the other; where one of them fails, neither version can open the device. Here
 * nothing that was is touched until all of the new stands:
 *
 *     copy each collection, and what its replication knows ─→ switch, one transaction ─→ old databases go
 *     └ killed, failed: the copies are nobody's,              └ the queue is in the new   └ killed: the next start
 *       the next try begins anew, the old app opens             stores only                 goes on
 *
 * A copy is a database of its own, whose name has its version; which version holds is one row (`stored-layout.ts`). Nobody
 * else may have the stores open (`open-stores.ts`). Times and revisions stay, so the replication goes on where it was.
 */
import type { Steps } from '#schemas/migrations/step.ts'
import { deleteDatabase, done, openNew, openThere, readAll, written } from './idb.ts'
import { movedKnown, movedRow, type MovedSchema, type Way } from './moved-document.ts'
import {
  INTERNAL_DOCS,
  internalName,
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

export interface Migration {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  /** The user's: `genba-<hash>`. */
  database: string
  layout: Layout
  durable: readonly string[]
}

type Row = Record<string, unknown>
type MoveRow = (row: Row) => Row | null
const PIECE = 200

/** @throws where it cannot be done: all that was there is as it was, and the version before opens it */
export async function migrate(migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return
  try {
    const { ways, row } = await waysOf(internal, migration)
    for (const way of ways) await copyCollection(way, row, migration)
    if (ways.length > 0) await switchTo(ways, row, internal, database)
  } finally {
    internal.close()
  }
  await clearLeftovers(indexedDB, database)
}

/** All through the steps, and nothing written. @returns its length as JSON @throws where a step fails */
export async function rehearse(migration: Migration): Promise<number> {
  const { indexedDB, database } = migration
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return 0
  let length = 0
  const measure = (row: Row | null) => (length += JSON.stringify(row).length)
  try {
    const { ways, row } = await waysOf(internal, migration)
    for (const way of ways)
      for (const { name, move } of storesOf(way, row))
        await eachPiece(migration, storeName(database, way.from, name), (rows) =>
          rows.map(move).forEach(measure),
        )
  } finally {
    internal.close()
  }
  return length
}

/** The databases of versions before, as a switch left them. */
export async function clearLeftovers(indexedDB: IDBFactory, database: string): Promise<void> {
  const internal = await openThere(indexedDB, internalName(database))
  if (!internal) return
  try {
    const row = rowOf(
      await done(internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS).get(LAYOUT_ROW)),
    )
    if (row.leftovers.length === 0) return
    for (const name of row.leftovers) await deleteDatabase(indexedDB, name)
    await written(internal, INTERNAL_DOCS, (docs) => docs.put(storedRow({ ...row, leftovers: [] })))
  } finally {
    internal.close()
  }
}

/** What is to be moved, and what is known of it. */
async function waysOf(internal: IDBDatabase, { layout, durable }: Migration) {
  const docs = internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
  const [keys, stored, own] = await readAll([docs.getAllKeys(), docs.getAll(), docs.get(LAYOUT_ROW)])
  const row = rowOf(own)
  const { versions } = layoutOf(keys.map(String), row)
  const ways = Object.entries(layout.schemas).flatMap(([collection, schema]): Way[] => {
    const from = versions.get(collection)
    if (from === undefined || from >= schema.version) return []
    const steps = Reflect.get(layout.migrations, collection) as Way['steps'] | undefined
    const isDurable = durable.includes(collection)
    return [{ collection, from, to: schema.version, schema, steps: steps ?? {}, isDurable }]
  })
  return { ways, row: { ...row, connected: { ...row.connected, ...connectedIn(stored as Row[], ways) } } }
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

interface StoreMove {
  name: string
  primaryKey: string
  indexes: MovedSchema['indexes']
  move: MoveRow
}

/** The records, and what the replication knew of the CRM's. */
const storesOf = (way: Way, { connected }: LayoutRow): StoreMove[] => [
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

async function copyCollection(way: Way, row: LayoutRow, migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  for (const { name, primaryKey, indexes, move } of storesOf(way, row)) {
    const target = storeName(database, way.to, name)
    // of a try that was cut short
    await deleteDatabase(indexedDB, target)
    const copy = await openNew(indexedDB, target, DEXIE_VERSION, (db) => makeTables(db, primaryKey, indexes))
    try {
      await eachPiece(migration, storeName(database, way.from, name), (rows) => {
        const moved = rows.map(move).filter((each) => each !== null)
        return written(copy, INTERNAL_DOCS, (docs) => moved.forEach((each) => docs.put(each)))
      })
    } finally {
      copy.close()
    }
  }
}

/** @param take the next rows in the order of their keys */
async function eachPiece(
  { indexedDB, ranges }: Pick<Migration, 'indexedDB' | 'ranges'>,
  name: string,
  take: (rows: Row[]) => Promise<void> | void,
): Promise<void> {
  const db = await openThere(indexedDB, name)
  if (!db) return
  try {
    for (let after: IDBValidKey | null = null; ;) {
      const docs = db.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS)
      const range: IDBKeyRange | null = after === null ? null : ranges.lowerBound(after, true)
      const rows: Row[] = await done(docs.getAll(range, PIECE))
      if (rows.length > 0) await take(rows)
      if (rows.length < PIECE) return
      after = rows.at(-1)?.[String(docs.keyPath)] as IDBValidKey
    }
  } finally {
    db.close()
  }
}

/** From here on the new stores hold: one transaction, on disk when it resolves. */
function switchTo(
  ways: readonly Way[],
  before: LayoutRow,
  internal: IDBDatabase,
  database: string,
): Promise<void> {
  const moved = ways.flatMap((way) =>
    storesOf(way, before).map(({ name }) => storeName(database, way.from, name)),
  )
  const row: LayoutRow = {
    versions: {
      ...before.versions,
      ...Object.fromEntries(ways.map(({ collection, to }) => [collection, to])),
    },
    connected: before.connected,
    leftovers: [...before.leftovers, ...moved],
  }
  return written(internal, INTERNAL_DOCS, (docs) => {
    for (const { collection, from } of ways) docs.delete(rowOfCollection(collection, from))
    docs.put(storedRow(row))
  })
}

/** As RxDB's own rows stand there: it reads past it. */
const storedRow = (data: LayoutRow) => ({
  id: LAYOUT_ROW,
  key: 'genba-layout',
  context: 'OTHER',
  data,
  _deleted: '0',
  _meta: { lwt: 1 },
  _rev: '1-genba',
  _attachments: {},
})

/** Dexie multiplies its version by ten. */
const DEXIE_VERSION = 10

/** The tables as RxDB's Dexie storage declares them, so that Dexie finds nothing to change. */
function makeTables(db: IDBDatabase, primaryKey: string, indexes: MovedSchema['indexes']): void {
  const docs = db.createObjectStore(INTERNAL_DOCS, { keyPath: primaryKey })
  for (const fields of indexesOf(primaryKey, indexes))
    if (fields.length === 1) docs.createIndex(String(fields[0]), String(fields[0]))
    else docs.createIndex(`[${fields.join('+')}]`, [...fields])
  db.createObjectStore('changes', { keyPath: 'sequence', autoIncrement: true }).createIndex('id', 'id')
  db.createObjectStore('attachments', { keyPath: 'id' })
}

/** RxDB puts what is deleted before each index and the key after it. */
export function indexesOf(primaryKey: string, indexes: MovedSchema['indexes']): string[][] {
  const all = [
    ['_deleted', primaryKey],
    ...indexes.map((index) => {
      const fields = [index].flat()
      return ['_deleted', ...fields, ...(fields.includes(primaryKey) ? [] : [primaryKey])]
    }),
    ['_meta.lwt', primaryKey],
    ['_meta.lwt'],
  ]
  return [...new Map(all.map((fields) => [fields.join('+'), fields])).values()]
}
