/**
 * Reads which version of each collection is on the device, without RxDB, which would create missing stores. RxDB has
 * one IndexedDB database for each collection and version. A migration writes down which versions are valid
 * (`migrate.ts`); without a migration, a collection has one version. Tested with RxDB 17.6.
 */
import { databaseNames, storesIn } from '#data/database/collection-stores.ts'
import { layoutName } from '#data/database/database-name.ts'
import { resultOf, withDatabase } from '#data/storage/idb.ts'

/** The only table of the database `layoutName`, and the key of its only row. */
export const LAYOUT_TABLE = 'layout'
export const LAYOUT_KEY = 'valid'

/** What migrations have written down. */
export interface LayoutRow {
  /** Valid version of each collection that was ever migrated. */
  versions: Readonly<Record<string, number>>
  /** Databases of earlier versions that are not deleted yet. */
  leftovers: readonly string[]
}

type StoredLayout = { versions: ReadonlyMap<string, number>; row: LayoutRow }

type Schemas = Readonly<Record<string, { readonly version: number }>>

/** Returns the stored layout of a user; an empty layout if the user has no database. */
export async function storedLayout(indexedDB: IDBFactory, database: string): Promise<StoredLayout> {
  const names = await databaseNames(indexedDB)
  // Firefox before 126 lists only Dexie's databases, so the row is searched for there.
  const mayExist = names.includes(layoutName(database)) || !('databases' in indexedDB)
  const row = mayExist ? await readRow(indexedDB, database) : rowOf(null)
  return { versions: validVersions(storesIn(names, database), row), row }
}

const readRow = async (indexedDB: IDBFactory, database: string): Promise<LayoutRow> =>
  rowOf(
    await withDatabase(indexedDB, layoutName(database), (db) =>
      resultOf(db.transaction(LAYOUT_TABLE).objectStore(LAYOUT_TABLE).get(LAYOUT_KEY) as IDBRequest<unknown>),
    ),
  )

/**
 * Returns the valid version of each collection: the one that a migration has written down, otherwise the oldest on the
 * device, because a newer one is the copy of a migration that did not end. Pure.
 */
export function validVersions(stores: readonly { collection: string; version: number }[], row: LayoutRow) {
  const valid = new Map<string, number>()
  for (const { collection, version } of stores)
    valid.set(collection, Math.min(version, valid.get(collection) ?? version))
  for (const [collection, version] of Object.entries(row.versions)) valid.set(collection, version)
  return valid
}

/** Parses a stored layout row; an empty row if there is none. */
function rowOf(stored: unknown): LayoutRow {
  const { versions = {}, leftovers = [] } = Object(stored) as Partial<LayoutRow>
  return { versions, leftovers }
}

/**
 * Compares stored versions with this app's schemas. `older`: the stores must be migrated. `newer`: a later app version
 * has written the stores, and this version must not touch them.
 */
export function layoutAge({ versions }: StoredLayout, schemas: Schemas): 'same' | 'older' | 'newer' {
  const differences = [...versions].flatMap(([name, version]) => {
    const schema = schemas[name]
    return schema ? version - schema.version : []
  })
  if (differences.some((difference) => difference > 0)) return 'newer'
  return differences.some((difference) => difference < 0) ? 'older' : 'same'
}
