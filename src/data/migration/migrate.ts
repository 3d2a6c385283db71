/**
 * Migrates a user's stores to this version's schemas. RxDB's own migration deletes each old store as soon as it is
 * copied, so that after a later failure no version could open the stores. Here the old stores stay until all copies are
 * complete:
 *
 *     copy each collection and its replication metadata ─→ switch, one transaction ─→ delete old databases
 *      └ killed or failed: the copies are unused,          └ the new stores are valid  └ killed: the next start
 *        the next try starts over                                                        continues
 *
 * A copy is a separate database with the version in its name, and one row says which versions are valid
 * (`stored-layout.ts`). No tab may have the stores open. Times and revisions stay the same, so that the replication can
 * continue.
 */
import { clearFields } from '#data/storage/clear-fields.ts'
import type { CodecFor, Row as CodedRow } from '#data/storage/docs-table.ts'
import {
  deleteDatabase,
  eachPiece,
  openOrCreate,
  resultOf,
  withDatabase,
  writeDurably,
} from '#data/storage/idb.ts'
import {
  type MigrationPath,
  type MovedSchema,
  leftBy,
  storesOf,
  migrationPaths,
  type Layout,
  type Row,
} from './migration-paths.ts'
import {
  INTERNAL_DOCS,
  internalName,
  LAYOUT_ROW,
  rowOf,
  rowOfCollection,
  storedRow,
  type LayoutRow,
} from './stored-layout.ts'

export interface Migration {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  database: string
  layout: Layout
  durable: readonly string[]
  codecFor?: CodecFor | undefined
}

const PIECE = 200

/** Migrates the stores of one user. @throws if the migration fails; the old stores are then unchanged */
export async function migrate(migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  await withDatabase(indexedDB, internalName(database), async (internal) => {
    const { paths, row } = await migrationPaths(internal, migration)
    // Copies that an interrupted migration has left are deleted first.
    for (const path of paths)
      for (const { to } of storesOf(database, path, row)) await deleteDatabase(indexedDB, to)
    for (const path of paths) await copyCollection(path, row, migration)
    if (paths.length > 0) await switchTo(paths, row, internal, database)
  })
  await clearLeftovers(indexedDB, database)
}

/**
 * Rehearses a migration before a new version takes over: converts all rows, and writes nothing.
 * @returns length of the converted rows as JSON, in characters, for an estimate of the needed space
 * @throws if a row cannot be converted
 */
export async function rehearse(migration: Migration): Promise<number> {
  const { indexedDB, database } = migration
  let length = 0
  const measure = (row: Row | null) => (length += JSON.stringify(row).length)
  await withDatabase(indexedDB, internalName(database), async (internal) => {
    const { paths, row } = await migrationPaths(internal, migration)
    for (const path of paths)
      for (const { from, move } of storesOf(database, path, row))
        await eachRow(migration, from, async (rows, primary) =>
          (await codecOf(migration, from, primary).decode(rows)).map(move).forEach(measure),
        )
  })
  return length
}

/** Deletes the databases of earlier versions that a migration has left (`LayoutRow.leftovers`). */
export async function clearLeftovers(indexedDB: IDBFactory, database: string): Promise<void> {
  await withDatabase(indexedDB, internalName(database), async (internal) => {
    const row = rowOf(
      await resultOf(internal.transaction(INTERNAL_DOCS).objectStore(INTERNAL_DOCS).get(LAYOUT_ROW)),
    )
    if (row.leftovers.length === 0) return
    for (const name of row.leftovers) await deleteDatabase(indexedDB, name)
    await writeDurably(internal, INTERNAL_DOCS, (docs) => docs.put(storedRow({ ...row, leftovers: [] })))
  })
}

async function copyCollection(path: MigrationPath, row: LayoutRow, migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  for (const { from, to, primaryKey, indexes, move } of storesOf(database, path, row)) {
    const copy = await openOrCreate(indexedDB, to, DEXIE_VERSION, (db) => makeTables(db, primaryKey, indexes))
    try {
      await eachRow(migration, from, async (rows, primary) => {
        const plain = await codecOf(migration, from, primary).decode(rows)
        const moved = plain.map(move).filter((each) => each !== null)
        const encoded = await codecOf(migration, to, primaryKey, indexes).encode(moved)
        return writeDurably(copy, INTERNAL_DOCS, (docs) => encoded.forEach((each) => docs.put(each)))
      })
    } finally {
      copy.close()
    }
  }
}

/** Returns the codec of the store with this IndexedDB name, which contains the version and the collection. */
function codecOf(
  { codecFor, database }: Migration,
  store: string,
  primary: string,
  indexes: MovedSchema['indexes'] = [],
): { decode(rows: readonly unknown[]): Promise<Row[]>; encode(rows: readonly Row[]): Promise<Row[]> } {
  const [, version, collection = ''] = store.split('--')
  const clear = clearFields(primary, indexes)
  const codec = codecFor?.({ database, collection, version: Number(version), primary, clear })
  return {
    decode: async (rows) => codec?.decode(rows as CodedRow[]) ?? (rows as Row[]),
    encode: async (rows) => codec?.encode(rows as CodedRow[]) ?? [...rows],
  }
}

const eachRow = (
  { indexedDB, ranges }: Pick<Migration, 'indexedDB' | 'ranges'>,
  name: string,
  take: (rows: Row[], primary: string) => Promise<void>,
) => withDatabase(indexedDB, name, (db) => eachPiece(db, { table: INTERNAL_DOCS, ranges, size: PIECE }, take))

/** Makes the new stores valid in one transaction: names their versions, and deletes RxDB's own rows of the old ones. */
function switchTo(
  paths: readonly MigrationPath[],
  before: LayoutRow,
  internal: IDBDatabase,
  database: string,
): Promise<void> {
  const row: LayoutRow = {
    versions: {
      ...before.versions,
      ...Object.fromEntries(paths.map(({ collection, to }) => [collection, to])),
    },
    connected: before.connected,
    leftovers: [...before.leftovers, ...paths.flatMap((path) => leftBy(database, path, before))],
  }
  return writeDurably(internal, INTERNAL_DOCS, (docs) => {
    for (const { collection, from } of paths) docs.delete(rowOfCollection(collection, from))
    docs.put(storedRow(row))
  })
}

/** Factor by which Dexie multiplies its version numbers. */
const DEXIE_VERSION = 10

/** Creates the tables exactly as RxDB's Dexie storage (17.6) declares them, so that Dexie changes nothing later. */
function makeTables(db: IDBDatabase, primaryKey: string, indexes: MovedSchema['indexes']): void {
  const docs = db.createObjectStore(INTERNAL_DOCS, { keyPath: primaryKey })
  for (const fields of indexesOf(primaryKey, indexes))
    if (fields.length === 1) docs.createIndex(String(fields[0]), String(fields[0]))
    else docs.createIndex(`[${fields.join('+')}]`, [...fields])
  db.createObjectStore('changes', { keyPath: 'sequence', autoIncrement: true }).createIndex('id', 'id')
  db.createObjectStore('attachments', { keyPath: 'id' })
}

/** Returns the indexes as RxDB makes them: `_deleted` comes first, and the primary key last. */
function indexesOf(primaryKey: string, indexes: MovedSchema['indexes']): string[][] {
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
