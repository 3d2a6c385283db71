/**
 * Migrates a user's stores to this version's schemas. RxDB's own migration deletes each old store as soon as it is
 * copied, so that after a later failure no version could open the stores. Here the old stores stay until all copies are
 * complete:
 *
 *     copy each collection ─→ switch, one write ─→ delete old databases
 *      └ killed or failed: the   └ the new stores   └ killed: the next start continues
 *        next try starts over      are valid
 *
 * A copy is a separate database with the version in its name, and one row says which versions are valid
 * (`stored-layout.ts`). No tab may have the stores open. Times and revisions stay the same. Replications start anew,
 * which sends nothing twice, because each change says itself what has become of it.
 */
import type { Step, Steps } from '#schemas/migrations/step.ts'
import { databaseNames, REPLICATION, storeName, storesIn } from '#data/database/collection-stores.ts'
import { layoutName } from '#data/database/database-name.ts'
import { DOCS, openStore } from '#data/storage/store-layout.ts'
import { clearFields, type CodecFor, type Row as CodedRow } from '#data/storage/docs-table.ts'
import { deleteDatabase, eachPiece, openOrCreate, withDatabase, writeDurably } from '#data/storage/idb.ts'
import { movedRow, type MigrationPath, type MovedSchema } from './moved-document.ts'
import { LAYOUT_KEY, LAYOUT_TABLE, storedLayout, validVersions, type LayoutRow } from './stored-layout.ts'

type Row = Record<string, unknown>

export interface Layout {
  schemas: Readonly<Record<string, MovedSchema & { readonly version: number }>>
  migrations: Steps
}

export interface Migration {
  indexedDB: IDBFactory
  ranges: typeof IDBKeyRange
  database: string
  layout: Layout
  /** Collections that can contain data that is not in the CRM. */
  durable: readonly string[]
  /** Encodes rows on disk; migration steps get decoded rows. */
  codecFor?: CodecFor | undefined
}

/** Number of rows that are converted at once. */
const PIECE = 200

/** Migrates the stores of one user. @throws if the migration fails; the old stores are then unchanged */
export async function migrate(migration: Migration): Promise<void> {
  const { indexedDB, database } = migration
  const { paths, row } = await migrationPaths(migration)
  // A copy that exists already is of an interrupted migration.
  for (const { collection, to } of paths) await deleteDatabase(indexedDB, storeName(database, to, collection))
  for (const path of paths) await copyCollection(path, migration)
  if (paths.length > 0) await switchTo(paths, row, migration)
  await clearLeftovers(indexedDB, database)
}

/**
 * Rehearses a migration before a new version takes over: converts all rows, and writes nothing.
 * @returns length of the converted rows as JSON, in characters, for an estimate of the needed space
 * @throws if a row cannot be converted
 */
export async function rehearse(migration: Migration): Promise<number> {
  let length = 0
  const measure = (row: Row | null) => (length += JSON.stringify(row).length)
  const { paths } = await migrationPaths(migration)
  for (const path of paths)
    await eachRow(migration, path, async (rows, codec) =>
      (await codec.decode(rows)).map((row) => movedRow(row, path)).forEach(measure),
    )
  return length
}

/** Deletes the databases of earlier versions that a migration has left (`LayoutRow.leftovers`). */
export async function clearLeftovers(indexedDB: IDBFactory, database: string): Promise<void> {
  const { row } = await storedLayout(indexedDB, database)
  if (row.leftovers.length === 0) return
  for (const name of row.leftovers) await deleteDatabase(indexedDB, name)
  await writeRow(indexedDB, database, { ...row, leftovers: [] })
}

/** Returns the collections to migrate, and what earlier migrations have written down. */
async function migrationPaths({ indexedDB, database, layout, durable }: Migration) {
  const { versions, row } = await storedLayout(indexedDB, database)
  const { schemas, migrations } = layout
  const paths = Object.entries(schemas).flatMap(([collection, schema]): MigrationPath[] => {
    const from = versions.get(collection)
    if (from === undefined || from >= schema.version) return []
    const steps = Array.from({ length: schema.version - from }, (_, i) => {
      const version = from + i + 1
      const ownSteps = Reflect.get(migrations, collection) as Record<number, Step> | undefined
      return { version: `${version}`, step: ownSteps?.[version] }
    })
    const isDurable = durable.includes(collection)
    return [{ collection, from, to: schema.version, schema, steps, isDurable }]
  })
  return { paths, row }
}

async function copyCollection(path: MigrationPath, migration: Migration): Promise<void> {
  const { collection, to, schema } = path
  const name = storeName(migration.database, to, collection)
  const copy = await openStore(migration.indexedDB, name, schema)
  try {
    const { encode } = codecOf(migration, { collection, version: to, schema })
    await eachRow(migration, path, async (rows, { decode }) => {
      const moved = (await decode(rows)).map((row) => movedRow(row, path)).filter((each) => each !== null)
      const encoded = await encode(moved)
      return writeDurably(copy, DOCS, (docs) => encoded.forEach((each) => docs.put(each)))
    })
  } finally {
    copy.close()
  }
}

/** Returns the codec of one store. */
function codecOf(
  { codecFor, database }: Migration,
  { collection, version, schema }: { collection: string; version: number; schema: MovedSchema },
): { decode(rows: readonly unknown[]): Promise<Row[]>; encode(rows: readonly Row[]): Promise<Row[]> } {
  const clear = clearFields(schema)
  const codec = codecFor?.({ database, collection, version, primary: schema.primaryKey, clear })
  return {
    decode: async (rows) => codec?.decode(rows as CodedRow[]) ?? (rows as Row[]),
    encode: async (rows) => codec?.encode(rows as CodedRow[]) ?? [...rows],
  }
}

/** Passes all rows of a collection's old store to `take`; none if the store does not exist. */
async function eachRow(
  migration: Migration,
  { collection, from, schema }: MigrationPath,
  take: (rows: Row[], codec: ReturnType<typeof codecOf>) => Promise<void>,
): Promise<void> {
  const { indexedDB, ranges, database } = migration
  const codec = codecOf(migration, { collection, version: from, schema })
  await withDatabase(indexedDB, storeName(database, from, collection), (db) =>
    eachPiece(db, { table: DOCS, ranges, size: PIECE }, (rows) => take(rows as Row[], codec)),
  )
}

/** Makes the new stores valid, and lists the databases that are then unused. Resolves once this is on disk. */
async function switchTo(
  paths: readonly MigrationPath[],
  before: LayoutRow,
  { indexedDB, database }: Migration,
) {
  const stores = storesIn(await databaseNames(indexedDB), database)
  const versions = {
    ...before.versions,
    ...Object.fromEntries(paths.map(({ collection, to }) => [collection, to])),
  }
  const records = stores.filter(({ collection }) => !collection.startsWith(REPLICATION))
  const inUse = new Set(validVersions(records, { ...before, versions }).values())
  const replications = stores.filter(
    (each) => each.collection.startsWith(REPLICATION) && !inUse.has(each.version),
  )
  const leftovers = [
    ...before.leftovers,
    ...paths.map(({ collection, from }) => storeName(database, from, collection)),
    ...replications.map(({ name }) => name),
  ]
  await writeRow(indexedDB, database, { versions, leftovers })
}

async function writeRow(indexedDB: IDBFactory, database: string, row: LayoutRow): Promise<void> {
  const db = await openOrCreate(indexedDB, layoutName(database), 1, (fresh) =>
    fresh.createObjectStore(LAYOUT_TABLE),
  )
  try {
    await writeDurably(db, LAYOUT_TABLE, (table) => table.put(row, LAYOUT_KEY))
  } finally {
    db.close()
  }
}
